// expect: unsafe
// options: --property no-data-race
// Freeing conflicts with every access.
#include <pthread.h>
#include <stdlib.h>

void *use(void *cell) {
  *(int *)cell = 1;
  return 0;
}

int main(void) {
  pthread_t user;
  int *cell = malloc(sizeof(int));
  pthread_create(&user, 0, use, cell);
  free(cell);
  return 0;
}
