// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p), *q = p;
  *p = 5;
  free(p);
  p = malloc(sizeof *p);
  *p = 6;
#ifdef BUG
  int r = *q;
#else
  int r = *p;
#endif
  free(p);
  return r;
}
