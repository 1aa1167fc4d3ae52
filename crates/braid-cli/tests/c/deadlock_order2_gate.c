// expect: safe
// options: --property no-deadlock
// Two threads take two locks in different orders, under a third one.
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *x) {
  pthread_mutex_lock(&c);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&c);
  return 0;
}
static void *two(void *x) {
  pthread_mutex_lock(&c);
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&c);
  return 0;
}
#include "two_threads.h"
