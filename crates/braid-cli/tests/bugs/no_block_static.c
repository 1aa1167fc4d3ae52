// property: valid-free
#include <pthread.h>
#include <stdlib.h>
int x;
int main(void) {
  int *p = malloc(4), *q = p;
#ifdef BUG
  if (rand()) p = &x;
#endif
  free(p);
  if (p != q) free(q);
}
