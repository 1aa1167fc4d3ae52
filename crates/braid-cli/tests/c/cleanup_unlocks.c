// expect: safe
// A lock that is released at the end of the block.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void release(pthread_mutex_t **m) { pthread_mutex_unlock(*m); }
#define GUARD(m) pthread_mutex_t *guard __attribute__((cleanup(release))) = (pthread_mutex_lock(m), (m))

static void *worker(void *unused) {
  for (int i = 0; i < 2; i++) {
    GUARD(&lock);
    if (i) {
      count += 2;
      continue;
    }
    count++;
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 6);
  return 0;
}
