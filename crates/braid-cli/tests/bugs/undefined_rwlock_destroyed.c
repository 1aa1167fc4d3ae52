// property: no-undefined
#include <pthread.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
  pthread_rwlock_rdlock(&lock);
#ifndef BUG
  pthread_rwlock_unlock(&lock);
#endif
  pthread_rwlock_destroy(&lock);
  return 0;
}
