// expect: unsafe
// A lock that is taken may.
#include <assert.h>
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct timespec until;
void *t(void *a) {
  assert(pthread_mutex_timedlock(&m, &until) == 0);
  return 0;
}
int main(void) {
  pthread_t h;
  pthread_mutex_lock(&m);
  pthread_create(&h, 0, t, 0);
  pthread_mutex_unlock(&m);
  pthread_join(h, 0);
  return 0;
}
