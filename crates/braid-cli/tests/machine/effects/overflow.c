// property: no-overflow
// What the function writes decides whether a number overflows.
#include <pthread.h>

void size_of(int *out);
int width;

void *worker(void *unused) {
  int columns = 0;
  size_of(&columns);
  if (columns > 0) width = columns * 100000;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
}
