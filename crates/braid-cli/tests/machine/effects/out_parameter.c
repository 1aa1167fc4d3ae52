// An out parameter that is a local variable of a thread.
#include <assert.h>
#include <pthread.h>

int measure(int *out);
int total;

void *worker(void *unused) {
  int x = 1;
  measure(&x);
  total = x;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  assert(total != 4711);
}
