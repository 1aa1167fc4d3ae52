// property: valid-memtrack
#include <pthread.h>
#include <stdlib.h>
int *p;
int main(void) {
  p = malloc(4);
#ifndef BUG
  free(p);
#endif
  p = malloc(4);
  free(p);
}
