// expect: safe
// options: --property no-deadlock
// Two who wait are told at once.
// expect -D WRONG: unsafe
// One signal for two who wait.
#include "waiter.h"
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
  pthread_create(&t0, 0, one, 0);
  pthread_create(&t1, 0, one, 0);
  pthread_create(&t2, 0, signaller, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
