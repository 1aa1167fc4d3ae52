// expect: safe
// options: --property no-deadlock
// A recursive mutex can be locked again by its owner.
#include <pthread.h>
static pthread_mutex_t a;
int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&a, &kind);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&a);
  return 0;
}
