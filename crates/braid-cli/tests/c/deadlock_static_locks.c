// expect: safe
// options: --property no-deadlock --engine locks
// Mutexes with initial values are free from the start, also where the action that sets them starts the threads.
// expect -D WRONG: unknown (locks are taken in different orders)
#include <pthread.h>
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int shared;
static void count(pthread_mutex_t *outer, pthread_mutex_t *inner) {
  pthread_mutex_lock(outer);
  pthread_mutex_lock(inner);
  shared++;
  pthread_mutex_unlock(inner);
  pthread_mutex_unlock(outer);
}
static void *other(void *unused) {
#ifdef WRONG
  count(&locks[1], &locks[0]);
#else
  count(&locks[0], &locks[1]);
#endif
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  count(&locks[0], &locks[1]);
  return pthread_join(thread, 0);
}
