// expect: safe
// Waiting by a clock of one's choice is like waiting by the time of day.
// expect -D WRONG: unsafe
// The time may be over.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
sem_t s;
int ready;
static void *run(void *unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  sem_init(&s, 0, 1);
  assert(sem_clockwait(&s, CLOCK_MONOTONIC, &until) == 0);
  assert(pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &until) == 0);
  assert(pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
  pthread_create(&t, 0, run, 0);
  int result = pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &until);
  if (result == 0) {
    while (!ready && result == 0) result = pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &until);
#ifdef WRONG
    assert(ready);
#else
    assert(ready || result == ETIMEDOUT);
#endif
    pthread_mutex_unlock(&m);
  } else
    assert(result == ETIMEDOUT);
  pthread_join(t, 0);
}
