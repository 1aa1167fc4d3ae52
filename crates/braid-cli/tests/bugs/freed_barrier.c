// property: valid-memsafety
// Destroying a barrier waits until all have left it: its memory can be freed then.
#include <pthread.h>
#include <stdlib.h>
pthread_barrier_t *barrier;
static void *run(void *unused) {
  if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
#ifndef BUG
    pthread_barrier_destroy(barrier);
#endif
    free(barrier);
  } else {
#ifdef BUG
    pthread_barrier_destroy(barrier);
#endif
  }
  return 0;
}
int main(void) {
  pthread_t t, u;
  barrier = malloc(sizeof *barrier);
  pthread_barrier_init(barrier, 0, 2);
  pthread_create(&t, 0, run, 0);
  pthread_create(&u, 0, run, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
