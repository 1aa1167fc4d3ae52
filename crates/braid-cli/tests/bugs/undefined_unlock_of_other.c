// property: no-undefined
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *work(void *unused) {
#ifndef BUG
  pthread_mutex_lock(&lock);
#endif
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t other;
  pthread_mutex_lock(&lock);
  pthread_create(&other, 0, work, 0);
#ifndef BUG
  pthread_mutex_unlock(&lock);
#endif
  pthread_join(other, 0);
  return 0;
}
