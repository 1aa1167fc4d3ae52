// expect: safe
// A writer that wants its lock again is told so.
// expect -D WRONG: unsafe
// It does not wait for ever.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
  assert(pthread_rwlock_wrlock(&l) == 0);
  assert(pthread_rwlock_wrlock(&l) == EDEADLK);
  assert(pthread_rwlock_rdlock(&l) == EDEADLK);
#ifdef WRONG
  assert(0);
#endif
}
