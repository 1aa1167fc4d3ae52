// expect: safe
// options: --property no-deadlock
// One thread waits for the end of another one.
#include <pthread.h>
static pthread_t t0, t1;
static void *one(void *x) {
  return 0;
}
static void *two(void *x) {
  pthread_join(t0, 0);
  return 0;
}
int main(void) {
  pthread_create(&t0, 0, one, 0);
  pthread_create(&t1, 0, two, 0);
  pthread_exit(0);
}
