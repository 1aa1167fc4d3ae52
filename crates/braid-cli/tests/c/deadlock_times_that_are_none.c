// expect: safe
// options: --property no-deadlock
// Nanoseconds that are more than a second are refused.
// expect -D WRONG: unsafe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
sem_t s;
int main(void) {
#ifdef WRONG
  struct timespec until = {1, 999999999};
#else
  struct timespec until = {1, 1000000000};
#endif
  pthread_mutex_lock(&m);
  if (pthread_cond_timedwait(&c, &m, &until) != EINVAL) pthread_mutex_lock(&m);
  if (pthread_mutex_timedlock(&m, &until) != EINVAL) pthread_mutex_lock(&m);
  if (pthread_rwlock_timedrdlock(&l, &until) != EINVAL) pthread_mutex_lock(&m);
  if (pthread_rwlock_timedwrlock(&l, &until) != EINVAL) pthread_mutex_lock(&m);
}
