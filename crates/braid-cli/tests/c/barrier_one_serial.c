// One of those who wait at a barrier is told so.
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_barrier_t barrier;
_Atomic int serial, came;

void *run(void *argument) {
  came++;
  int result = pthread_barrier_wait(&barrier);
  assert(came == 2);
  if (result == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
  else assert(result == 0);
  return 0;
}

int main(void) {
  pthread_barrier_init(&barrier, 0, 2);
  pthread_t other;
  pthread_create(&other, 0, run, 0);
  run(0);
  pthread_join(other, 0);
  assert(serial == 1);
}
