// A counter of visits. Two servers count, and both visits must be there at the end.
//
// The bug: `visits++` is a read, an addition and a write. Without the lock, both threads can read 0 and both write 1.
// expect: safe
// expect -D BUG: unsafe (unreach-call, no-data-race)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int visits;

static void count_visit(void) {
#ifdef BUG
  visits++;
#else
  pthread_mutex_lock(&lock);
  visits++;
  pthread_mutex_unlock(&lock);
#endif
}

static void *server(void *unused) {
  (void)unused;
  count_visit();
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, server, NULL);
  pthread_create(&second, NULL, server, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  pthread_mutex_lock(&lock);
  assert(visits == 2);
  pthread_mutex_unlock(&lock);
  return 0;
}
