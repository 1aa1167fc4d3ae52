// expect: safe
// options: --property valid-memsafety
// What `cleanup` frees is freed on every way out, once.
#include <stdlib.h>

static void drop(int **p) { free(*p); }
static int use(int n) {
  for (int i = 0; i < n; i++) {
    __attribute__((cleanup(drop))) int *p = malloc(sizeof *p);
    *p = i;
    if (i == 1) continue;
    if (*p == 2) return *p;
  }
  return 0;
}
int main(void) { return use(4) - 2; }
