// expect: safe
// options: --property no-deadlock
// The waiter looks whether it has to wait, under the lock.
// expect -D WRONG: unsafe
// Nobody says that it is ready.
#include "waiter.h"
static void *two(void *x) {
  pthread_mutex_lock(&m);
  ready = 1;
#ifndef WRONG
  pthread_cond_signal(&c);
#endif
  pthread_mutex_unlock(&m);
  return 0;
}
#include "two_threads.h"
