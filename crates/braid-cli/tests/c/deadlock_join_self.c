// expect: unsafe
// options: --property no-deadlock
// A thread waits for its own end.
#include <pthread.h>
static void *one(void *x) {
  pthread_join(pthread_self(), 0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  pthread_exit(0);
}
