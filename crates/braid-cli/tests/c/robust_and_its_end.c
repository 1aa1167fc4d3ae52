// expect: safe
// options: --property no-data-race
// That a thread is over is noted by the library itself: this is no race with who takes its mutex.
// expect -D WRONG: unsafe
// The counter is not under the mutex.
#include <errno.h>
#include <pthread.h>
pthread_mutex_t m;
int counter;
void *owner(void *p) {
  pthread_mutex_lock(&m);
  counter++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&m, &a);
  pthread_create(&t, 0, owner, 0);
#ifdef WRONG
  counter++;
#endif
  if (pthread_mutex_lock(&m) == EOWNERDEAD) pthread_mutex_consistent(&m);
  counter++;
  pthread_mutex_unlock(&m);
  return 0;
}
