// expect: unsafe
// options: --property no-deadlock
// A reader that wants to write waits for itself, whatever others do.
#include <pthread.h>
#include <stdatomic.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
atomic_int x;
void *busy(void *a) {
  for (;;) x = !x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, busy, 0);
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
  pthread_rwlock_wrlock(&l);
  return 0;
}
