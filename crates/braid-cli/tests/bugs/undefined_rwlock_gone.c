// property: no-undefined
// Nobody may try to take a lock that was destroyed.
#include <pthread.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *run(void *unused) {
  pthread_rwlock_tryrdlock(&lock);
  return 0;
}
int main(void) {
  pthread_t t;
#ifdef BUG
  pthread_rwlock_destroy(&lock);
#endif
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return 0;
}
