// expect: safe
// options: --property no-deadlock
// The lock is given back before the join.
// expect -D WRONG: unsafe
// The thread that is joined waits for a lock that the other one holds.
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *x) {
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&a);
  pthread_create(&t, 0, one, 0);
#ifndef WRONG
  pthread_mutex_unlock(&a);
#endif
  pthread_join(t, 0);
#ifdef WRONG
  pthread_mutex_unlock(&a);
#endif
  return 0;
}
