// expect: safe
// options: --property no-deadlock
// A mutex that checks errors tells its owner at once that it would wait for itself.
// expect -D WRONG: unsafe
#include <errno.h>
#include <pthread.h>
#include <time.h>
pthread_mutex_t m, n = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutexattr_t a;
  struct timespec until = {0, 0};
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &a);
  pthread_mutex_lock(&m);
  int result = pthread_mutex_timedlock(&m, &until);
  pthread_mutex_lock(&n);
#ifdef WRONG
  if (result == EDEADLK) pthread_mutex_lock(&n);
#else
  if (result == ETIMEDOUT) pthread_mutex_lock(&n);
#endif
}
