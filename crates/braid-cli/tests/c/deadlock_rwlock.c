// expect: safe
// options: --property no-deadlock
// Two threads read two things in different orders.
// expect -D WRONG: unsafe
// Two readers want to become writers of what the other one reads.
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER, k = PTHREAD_RWLOCK_INITIALIZER;
static void *one(void *x) {
  pthread_rwlock_rdlock(&l);
#ifndef WRONG
  pthread_rwlock_rdlock(&k);
#else
  pthread_rwlock_wrlock(&k);
#endif
  pthread_rwlock_unlock(&k);
  pthread_rwlock_unlock(&l);
  return 0;
}
static void *two(void *x) {
  pthread_rwlock_rdlock(&k);
#ifndef WRONG
  pthread_rwlock_rdlock(&l);
#else
  pthread_rwlock_wrlock(&l);
#endif
  pthread_rwlock_unlock(&l);
  pthread_rwlock_unlock(&k);
  return 0;
}
#include "two_threads.h"
