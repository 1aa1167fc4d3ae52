// property: valid-memtrack
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  *p = 1;
#ifndef BUG
  free(p);
#endif
}
