// expect: safe
// Each thread has its own cancellation state; setting it tells the one before.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
static void *run(void *a) {
  int o = 9;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &o);
  assert(o == PTHREAD_CANCEL_ENABLE);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &o);
  assert(o == PTHREAD_CANCEL_DISABLE);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  pthread_create(&t, 0, run, 0);
  int o = 9;
  assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &o) == 0);
  assert(o == PTHREAD_CANCEL_DEFERRED);
  assert(pthread_setcancelstate(77, &o) == 22);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &o);
  assert(o == PTHREAD_CANCEL_DISABLE);
  pthread_join(t, 0);
  return 0;
}
