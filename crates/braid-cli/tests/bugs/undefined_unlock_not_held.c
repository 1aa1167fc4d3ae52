// property: no-undefined
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int shared;
void *work(void *unused) {
  pthread_mutex_lock(&lock);
  int done = ++shared;
  pthread_mutex_unlock(&lock);
#ifdef BUG
  if (done == 2) pthread_mutex_unlock(&lock);
#endif
  return 0;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, work, 0);
  work(0);
  pthread_join(other, 0);
  pthread_mutex_destroy(&lock);
  return 0;
}
