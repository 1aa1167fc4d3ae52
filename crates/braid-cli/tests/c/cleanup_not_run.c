// expect: unsafe
// A handler that is popped with 0 does not run.
#include <assert.h>
#include <pthread.h>

int cleaned;

void clean(void *unused) { cleaned = 1; }

void *thread(void *unused) {
  pthread_cleanup_push(clean, 0);
  pthread_cleanup_pop(0);
  pthread_exit(0);
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  pthread_join(other, 0);
  assert(cleaned);
  return 0;
}
