// expect: safe
// options: --property no-deadlock
// A recursive mutex can be locked again by its owner.
// expect -D WRONG: unsafe
// A recursive mutex is locked twice and unlocked once, and another thread wants it.
#include <pthread.h>
static pthread_mutex_t a;
#ifdef WRONG
static void *other(void *x) {
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  return 0;
}
#endif
int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&a, &kind);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
#ifndef WRONG
  pthread_mutex_unlock(&a);
#else
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
#endif
  return 0;
}
