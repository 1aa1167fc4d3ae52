// expect: safe
// options: --property no-deadlock
// Whoever does not get the second lock gives back the first one.
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *x) {
  pthread_mutex_lock(&a);
  if (pthread_mutex_trylock(&b) == 0)
    pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}
static void *two(void *x) {
  pthread_mutex_lock(&b);
  if (pthread_mutex_trylock(&a) == 0)
    pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}
#include "two_threads.h"
