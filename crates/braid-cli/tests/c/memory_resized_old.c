// expect: unsafe
// options: --property valid-deref
// The old block is gone, wherever the new one is.
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof *p);
  int *q = realloc(p, 100 * sizeof *p);
  p[0] = 1;
  free(q);
  return 0;
}
