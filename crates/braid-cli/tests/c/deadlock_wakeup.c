// expect: safe
// options: --property no-deadlock
// The waiter looks whether it has to wait, under the lock.
// expect -D WRONG: unsafe
// Nobody says that it is ready.
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *waiter(void *x) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return 0;
}
static void *signaller(void *x) {
  pthread_mutex_lock(&m);
  ready = 1;
#ifndef WRONG
  pthread_cond_signal(&c);
#endif
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, 0, waiter, 0);
  pthread_create(&t1, 0, signaller, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
  return 0;
}
