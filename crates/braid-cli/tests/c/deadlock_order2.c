// expect --property no-deadlock: safe
// Two threads take two locks in the same order.
// expect -D WRONG --property no-deadlock: unsafe
// expect -D WRONG --property all: unsafe
// Two threads take two locks in different orders.
#include "locks_in_order.h"
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
#include "two_threads.h"
