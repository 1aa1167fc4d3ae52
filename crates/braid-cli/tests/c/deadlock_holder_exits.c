// expect: safe
// options: --property no-deadlock
// The program is over before anybody misses the lock for good.
// expect -D WRONG: unsafe
// A thread ends with the lock.
#include <pthread.h>
#ifndef WRONG
#include <stdlib.h>
#endif
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *x) {
  pthread_mutex_lock(&a);
#ifndef WRONG
  exit(0);
#endif
  return 0;
}
static void *two(void *x) {
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  return 0;
}
#include "two_threads.h"
