// property: valid-memcleanup
#include <pthread.h>
#include <stdlib.h>
int *kept;
int main(void) {
  kept = malloc(4);
  if (rand()) {
#ifndef BUG
    free(kept);
#endif
    exit(1);
  }
  free(kept);
}
