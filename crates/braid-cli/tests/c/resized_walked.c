// expect: safe
// Addresses of a block are compared, and its contents are the same wherever it is.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof *p), sum = 0;
  p[0] = 1, p[1] = 2;
  p = reallocarray(p, 3, sizeof *p);
  p[2] = 3;
  for (int *i = p, *end = p + 3; i != end; i++) sum += *i;
  assert(sum == 6);
  return 0;
}
