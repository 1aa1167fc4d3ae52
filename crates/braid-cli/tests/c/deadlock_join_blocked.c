// expect: unsafe
// options: --property no-deadlock
// The thread that is joined waits for a lock that the other one holds.
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *x) {
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&a);
  pthread_create(&t, 0, one, 0);
  pthread_join(t, 0);
  pthread_mutex_unlock(&a);
  return 0;
}
