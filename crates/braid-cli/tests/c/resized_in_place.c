// expect: unsafe
// A block that grows may stay where it is.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof *p);
  int *q = realloc(p, 100 * sizeof *p);
  assert(p != q);
  return 0;
}
