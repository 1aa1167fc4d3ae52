// property: valid-memtrack
#include <pthread.h>
#include <stdlib.h>
int *kept;
int main(void) {
  int *p = malloc(4);
  *p = 1;
#ifndef BUG
  kept = p;
#endif
}
