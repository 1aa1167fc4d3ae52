// expect: unsafe
// options: --property valid-deref
// A smaller block has fewer elements.
#include <stdlib.h>

int main(void) {
  int *p = malloc(4 * sizeof *p);
  p = realloc(p, 2 * sizeof *p);
  p[2] = 1;
  free(p);
  return 0;
}
