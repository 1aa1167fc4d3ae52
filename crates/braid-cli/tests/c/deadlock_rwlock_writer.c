// expect: unsafe
// options: --property no-deadlock
// Two writers take two locks in different orders.
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER, k = PTHREAD_RWLOCK_INITIALIZER;
static void *one(void *x) {
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_wrlock(&k);
  pthread_rwlock_unlock(&k);
  pthread_rwlock_unlock(&l);
  return 0;
}
static void *two(void *x) {
  pthread_rwlock_wrlock(&k);
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_unlock(&l);
  pthread_rwlock_unlock(&k);
  return 0;
}
#include "two_threads.h"
