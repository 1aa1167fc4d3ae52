// It can be the other thread.
// expect: unsafe
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int serial;

void *run(void *argument) {
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial = 1;
  return 0;
}

int main(void) {
  pthread_barrier_init(&barrier, 0, 2);
  pthread_t other;
  pthread_create(&other, 0, run, 0);
  pthread_barrier_wait(&barrier);
  pthread_join(other, 0);
  assert(serial == 0);
}
