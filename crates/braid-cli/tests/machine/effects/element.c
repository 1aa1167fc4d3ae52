// One element of an array of main, which a thread gets a pointer to.
#include <assert.h>
#include <pthread.h>

void tick(int *counter);

void *worker(void *argument) {
  tick(argument);
  return 0;
}

int main(void) {
  int counters[4] = {0, 0, 0, 0};
  pthread_t t;
  pthread_create(&t, 0, worker, &counters[2]);
  pthread_join(t, 0);
  assert(counters[2] != 99);
}
