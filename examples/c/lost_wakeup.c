// `main` waits until a worker is ready.
//
// The bug: the flag is set and signalled without the mutex. The signal can come after `main` has looked at the flag and
// before it waits: it is lost, and `main` waits for ever.
// expect: safe
// expect -D BUG: unsafe (no-deadlock)
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_bool ready;

static void *worker(void *unused) {
  (void)unused;
#ifndef BUG
  pthread_mutex_lock(&lock);
#endif
  ready = true;
  pthread_cond_signal(&changed);
#ifndef BUG
  pthread_mutex_unlock(&lock);
#endif
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
