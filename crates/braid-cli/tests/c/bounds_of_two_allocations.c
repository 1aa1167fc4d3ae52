// expect: safe
// options: --property valid-deref
// What is noted of the blocks of one allocation says nothing about those of another.
#include <stdlib.h>

int main(int argc, char **argv) {
  unsigned n = argc > 1 ? 4 : 6;
  int *p = malloc(n * sizeof *p), *q = malloc((n + 1) * sizeof *q);
  int *r = argc > 2 ? p : q;
  r[3] = 1;
  free(p);
  free(q);
  return 0;
}
