// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
int x, y;
int main(void) {
  int *p;
  if (rand()) p = &x;
#ifndef BUG
  else p = &y;
#endif
  *p = 1;
}
