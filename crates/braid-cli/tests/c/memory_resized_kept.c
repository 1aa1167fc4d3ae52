// expect: safe
// options: --property valid-memsafety
// What `realloc` gives is freed once, and used within its bounds.
#include <stdlib.h>

int main(void) {
  int *p = 0;
  for (int n = 1; n < 4; n++) {
    p = realloc(p, n * sizeof *p);
    p[n - 1] = n;
  }
  free(p);
  return 0;
}
