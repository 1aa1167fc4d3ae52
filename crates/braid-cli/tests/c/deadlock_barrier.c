// expect: safe
// options: --property no-deadlock
// Two must come, and two are there.
// expect -D WRONG: unsafe
// Three must come, and two are there.
#include <pthread.h>
static pthread_barrier_t b;
static void *one(void *x) {
  pthread_barrier_wait(&b);
  return 0;
}
int main(void) {
  pthread_t t0, t1;
#ifndef WRONG
  pthread_barrier_init(&b, 0, 2);
#else
  pthread_barrier_init(&b, 0, 3);
#endif
  pthread_create(&t0, 0, one, 0);
  pthread_create(&t1, 0, one, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
  return 0;
}
