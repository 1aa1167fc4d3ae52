// property: valid-free
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  int *p;
#ifndef BUG
  p = 0;
#endif
  free(p);
}
