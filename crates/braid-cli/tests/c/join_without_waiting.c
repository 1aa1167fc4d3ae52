// expect: safe
// A thread that is joined has ended, also where nobody waited for it.
// expect -D WRONG: unsafe
// It may still run.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
int n;
static void *run(void *unused) { n = 1; return &n; }
int main(void) {
  pthread_t t, u;
  void *result;
  struct timespec until = {0, 0};
  pthread_create(&t, 0, run, 0);
  int error = pthread_tryjoin_np(t, &result);
#ifdef WRONG
  assert(error == 0);
#endif
  if (error == 0) assert(n == 1 && result == &n);
  else {
    assert(error == EBUSY);
    pthread_join(t, 0);
  }
  pthread_create(&u, 0, run, 0);
  error = pthread_timedjoin_np(u, &result, &until);
  assert(error == 0 || error == ETIMEDOUT);
}
