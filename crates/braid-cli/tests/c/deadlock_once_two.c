// expect: safe
// options: --property no-deadlock
// Two threads wait for a function that runs once.
#include <pthread.h>
static pthread_once_t o = PTHREAD_ONCE_INIT;
static int x;
static void first(void) { x = 1; }
static void *one(void *x) {
  pthread_once(&o, first);
  return 0;
}
int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, 0, one, 0);
  pthread_create(&t1, 0, one, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
  return 0;
}
