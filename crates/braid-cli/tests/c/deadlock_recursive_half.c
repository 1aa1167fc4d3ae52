// expect: unsafe
// options: --property no-deadlock
// A recursive mutex is locked twice and unlocked once, and another thread wants it.
#include <pthread.h>
static pthread_mutex_t a;
static void *other(void *x) {
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  return 0;
}
int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&a, &kind);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  return 0;
}
