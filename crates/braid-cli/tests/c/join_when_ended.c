// Who asks whether a thread has ended does not wait for it.
// expect: safe
// expect -D BLOCK: unsafe (no-deadlock)
// expect -D WRONG: unsafe (unreach-call)
// options: --property all
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t go;
static int done;
static void *worker(void *unused) {
#ifdef BLOCK
  sem_wait(&go);
#endif
  done = 1;
  return &done;
}
int main(void) {
  sem_init(&go, 0, 0);
  pthread_t thread;
  void *result = 0;
  pthread_create(&thread, 0, worker, 0);
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  int error = pthread_tryjoin_np(thread, &result);
#ifdef WRONG
  assert(error == EBUSY);
#endif
  if (error == EBUSY) error = pthread_timedjoin_np(thread, &result, &until);
  if (error == ETIMEDOUT) error = pthread_join(thread, &result);
  assert(error == 0 && result == &done && done == 1);
  return 0;
}
