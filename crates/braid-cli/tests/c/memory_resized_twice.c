// expect: unsafe
// options: --property valid-free
// A block that is gone cannot get another size.
#include <stdlib.h>

int main(void) {
  int *p = malloc(4 * sizeof *p);
  int *q = realloc(p, 8 * sizeof *p), *r = realloc(p, 2 * sizeof *p);
  free(q);
  free(r);
  return 0;
}
