// expect: safe
// A mutex that is held cannot be destroyed.
// expect -D WRONG: unsafe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
#ifndef WRONG
  pthread_mutex_lock(&m);
#endif
  assert(pthread_mutex_destroy(&m) == EBUSY);
}
