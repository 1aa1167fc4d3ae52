/* A thread that ends with a mutex in its hands. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;

static void *take(void *unused) {
  pthread_mutex_lock(&m);
  return 0;
}

static pthread_t owner(int robustness) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, robustness);
  pthread_mutex_init(&m, &a);
  pthread_t t;
  pthread_create(&t, 0, take, 0);
  return t;
}
