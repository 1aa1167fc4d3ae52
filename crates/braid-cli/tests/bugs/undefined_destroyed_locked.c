// property: no-undefined
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&lock);
#ifndef BUG
  pthread_mutex_unlock(&lock);
#endif
  pthread_mutex_destroy(&lock);
  return 0;
}
