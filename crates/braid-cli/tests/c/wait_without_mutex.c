// expect: safe
// Who does not hold a mutex that checks errors does not wait for a signal, and does not hold it afterwards.
// expect -D WRONG: unsafe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_mutex_t m;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &a);
#ifdef WRONG
  pthread_mutex_lock(&m);
#endif
  assert(pthread_cond_wait(&c, &m) == EPERM);
  assert(pthread_mutex_unlock(&m) == EPERM);
}
