// expect: safe
// options: --property no-deadlock
// Three threads take three locks in one order.
// expect -D WRONG: unsafe
// Three threads take three locks in a circle.
#include "locks_in_order.h"
static void *two(void *x) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&c);
  pthread_mutex_unlock(&c);
  pthread_mutex_unlock(&b);
  return 0;
}
static void *three(void *x) {
#ifndef WRONG
  pthread_mutex_lock(&a);
#endif
  pthread_mutex_lock(&c);
#ifndef WRONG
  pthread_mutex_unlock(&c);
#else
  pthread_mutex_lock(&a);
#endif
  pthread_mutex_unlock(&a);
#ifdef WRONG
  pthread_mutex_unlock(&c);
#endif
  return 0;
}
int main(void) {
  pthread_t t0, t1, t2;
  pthread_create(&t0, 0, one, 0);
  pthread_create(&t1, 0, two, 0);
  pthread_create(&t2, 0, three, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
