// property: no-data-race
// The function writes an array on the heap, of which another thread reads one element.
#include <pthread.h>
#include <stdlib.h>

void scan(long *rows);
long *rows;
long seen;

void *worker(void *unused) {
  scan(rows);
  return 0;
}

int main(void) {
  pthread_t t;
  rows = malloc(20 * sizeof *rows);
  pthread_create(&t, 0, worker, 0);
  seen = rows[17];
  pthread_join(t, 0);
}
