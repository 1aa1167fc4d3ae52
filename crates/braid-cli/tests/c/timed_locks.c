// expect: safe
// A lock that is free does not time out.
#include <assert.h>
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct timespec until;
int main(void) {
  assert(pthread_mutex_timedlock(&m, &until) == 0);
  return 0;
}
