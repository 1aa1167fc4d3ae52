// property: no-undefined
// Nobody may take a mutex that was destroyed.
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_mutex_destroy(&lock);
#ifndef BUG
  pthread_mutex_init(&lock, 0);
#endif
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  pthread_mutex_destroy(&lock);
  return 0;
}
