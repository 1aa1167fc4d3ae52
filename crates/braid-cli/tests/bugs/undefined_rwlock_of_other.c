// property: no-undefined
#include <pthread.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *other(void *unused) {
#ifdef BUG
  pthread_rwlock_unlock(&lock);
#endif
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_rwlock_wrlock(&lock);
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
#ifndef BUG
  pthread_rwlock_unlock(&lock);
#endif
  return 0;
}
