// property: valid-memcleanup
#include <pthread.h>
#include <stdlib.h>
int *kept;
int main(void) {
  kept = malloc(4);
#ifndef BUG
  free(kept);
#endif
}
