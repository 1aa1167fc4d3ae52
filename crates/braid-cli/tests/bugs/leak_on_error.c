// property: valid-memtrack
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  char *buffer = malloc(8);
  if (rand()) {
#ifndef BUG
    free(buffer);
#endif
    return 1;
  }
  free(buffer);
}
