// expect: safe
// options: --property no-deadlock
// Nobody waits for a robust mutex whose owner is over.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t m;

static void *take(void *unused) {
  pthread_mutex_lock(&m);
  return 0;
}

int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &a);
  pthread_t t;
  pthread_create(&t, 0, take, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
