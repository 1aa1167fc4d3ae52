// expect: unsafe
// options: --property no-data-race
// `realloc` frees the block that another thread writes to.
#include <pthread.h>
#include <stdlib.h>

int *numbers;
void *writer(void *unused) {
  numbers[0] = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  numbers = malloc(2 * sizeof *numbers);
  pthread_create(&t, 0, writer, 0);
  int *more = realloc(numbers, 3 * sizeof *numbers);
  pthread_join(t, 0);
  free(more);
  return 0;
}
