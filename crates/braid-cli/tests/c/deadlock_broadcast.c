// expect: safe
// options: --property no-deadlock
// Two who wait are told at once.
// expect -D WRONG: unsafe
// One signal for two who wait.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *waiter(void *x) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return 0;
}
static void *signaller(void *x) {
  pthread_mutex_lock(&m);
  ready = 1;
#ifndef WRONG
  pthread_cond_broadcast(&c);
#else
  pthread_cond_signal(&c);
#endif
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t0, t1, t2;
  pthread_create(&t0, 0, waiter, 0);
  pthread_create(&t1, 0, waiter, 0);
  pthread_create(&t2, 0, signaller, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
