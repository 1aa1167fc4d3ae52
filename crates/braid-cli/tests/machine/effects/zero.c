// The value is 0, and only tested.
#include <assert.h>
#include <pthread.h>

void answer(int *out);
int failed;

void *worker(void *unused) {
  int x = 9;
  answer(&x);
  if (x == 0) failed = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  assert(!failed);
}
