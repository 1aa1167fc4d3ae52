// expect: safe
// A mutex that checks errors tells its owner at once that it would wait for itself.
// expect -D WRONG: unsafe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
pthread_mutex_t m;
int main(void) {
  pthread_mutexattr_t a;
  struct timespec until = {0, 0};
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &a);
  assert(pthread_mutex_timedlock(&m, &until) == 0);
#ifdef WRONG
  assert(pthread_mutex_timedlock(&m, &until) == ETIMEDOUT);
#else
  assert(pthread_mutex_timedlock(&m, &until) == EDEADLK);
#endif
}
