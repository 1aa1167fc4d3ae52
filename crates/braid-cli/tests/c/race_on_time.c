// expect: safe
// options: --property no-data-race
// Several threads may wait until the same time.
// expect -D WRONG: unsafe
// It is read.
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct timespec until;
static void *run(void *unused) {
  pthread_mutex_lock(&m);
  pthread_cond_timedwait(&c, &m, &until);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, run, 0);
  pthread_create(&u, 0, run, 0);
#ifdef WRONG
  until.tv_sec = 1;
#endif
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
