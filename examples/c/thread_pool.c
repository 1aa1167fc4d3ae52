// A pool of threads: two workers take jobs from a queue until the pool is shut down and the queue is empty.
//
// The bug: shutting down wakes one worker only. The other one waits for ever, and so does `main`, which joins it.
// expect: safe
// expect -D BUG: unsafe (no-deadlock)
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define JOBS 2

typedef void (*job)(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static job queue[JOBS];
static int submitted, taken;
static bool closed;
static int done; // under `lock`, like all of these

static void count_one(void) {
  pthread_mutex_lock(&lock);
  done++;
  pthread_mutex_unlock(&lock);
}

static void submit(job work) {
  pthread_mutex_lock(&lock);
  queue[submitted++] = work;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

static void shut_down(void) {
  pthread_mutex_lock(&lock);
  closed = true;
#ifdef BUG
  pthread_cond_signal(&changed);
#else
  pthread_cond_broadcast(&changed);
#endif
  pthread_mutex_unlock(&lock);
}

static void *worker(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&lock);
    while (taken == submitted && !closed) pthread_cond_wait(&changed, &lock);
    if (taken == submitted) {
      pthread_mutex_unlock(&lock);
      return NULL;
    }
    job work = queue[taken++];
    pthread_mutex_unlock(&lock);
    work();
  }
}

int main(void) {
  pthread_t workers[2];
  for (int i = 0; i < 2; i++) pthread_create(&workers[i], NULL, worker, NULL);
  for (int i = 0; i < JOBS; i++) submit(count_one);
  shut_down();
  for (int i = 0; i < 2; i++) pthread_join(workers[i], NULL);
  assert(done == JOBS);
  return 0;
}
