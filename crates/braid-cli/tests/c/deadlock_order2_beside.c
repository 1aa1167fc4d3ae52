// expect: unsafe
// options: --property no-deadlock
// Two threads wait for each other while a third one goes on for ever.
#include "locks_in_order.h"
static volatile int tick;
static void *two(void *x) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}
static void *clock_(void *x) {
  for (;;) tick = 1 - tick;
}
int main(void) {
  pthread_t t0, t1, t2;
  pthread_create(&t0, 0, clock_, 0);
  pthread_create(&t1, 0, one, 0);
  pthread_create(&t2, 0, two, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
