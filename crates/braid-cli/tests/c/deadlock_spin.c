// expect: safe
// options: --property no-deadlock
// Two threads take two spin locks in the same order.
// expect -D WRONG: unsafe
// Two threads take two spin locks in different orders.
#include <pthread.h>
static pthread_spinlock_t a, b;
static void *one(void *x) {
  pthread_spin_lock(&a);
  pthread_spin_lock(&b);
  pthread_spin_unlock(&b);
  pthread_spin_unlock(&a);
  return 0;
}
static void *two(void *x) {
#ifndef WRONG
  pthread_spin_lock(&a);
#endif
  pthread_spin_lock(&b);
#ifdef WRONG
  pthread_spin_lock(&a);
#endif
  pthread_spin_unlock(&a);
  pthread_spin_unlock(&b);
  return 0;
}
int main(void) {
  pthread_t t0, t1;
  pthread_spin_init(&a, 0);
  pthread_spin_init(&b, 0);
  pthread_create(&t0, 0, one, 0);
  pthread_create(&t1, 0, two, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
  return 0;
}
