// expect --property no-deadlock: safe
// Two threads take two locks in the same order.
// expect -D WRONG --property no-deadlock: unsafe
// expect -D WRONG --property all: unsafe
// Two threads take two locks in different orders.
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *x) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}
static void *two(void *x) {
#ifndef WRONG
  pthread_mutex_lock(&a);
#endif
  pthread_mutex_lock(&b);
#ifdef WRONG
  pthread_mutex_lock(&a);
#endif
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}
int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, 0, one, 0);
  pthread_create(&t1, 0, two, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
  return 0;
}
