// property: no-data-race
// The function writes a variable that another thread reads.
#include <pthread.h>

void fetch(int *out);
int shared, seen;

void *worker(void *unused) {
  fetch(&shared);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  seen = shared;
  pthread_join(t, 0);
}
