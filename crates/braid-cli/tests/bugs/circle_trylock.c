// property: progress
// One thread ends with the mutex, the other one tries again and again.
#include <pthread.h>
#include <sched.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int done;
void *owner(void *a) {
  pthread_mutex_lock(&m);
  done = 1;
#ifndef BUG
  pthread_mutex_unlock(&m);
#endif
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, owner, 0);
  while (pthread_mutex_trylock(&m) != 0) sched_yield();
  pthread_mutex_unlock(&m);
  return 0;
}
