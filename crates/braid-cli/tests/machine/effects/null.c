// A pointer that becomes null.
#include <assert.h>
#include <pthread.h>

void drop(int **slot);
int value = 5;
int *slot = &value;

void *worker(void *unused) {
  drop(&slot);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  assert(slot);
}
