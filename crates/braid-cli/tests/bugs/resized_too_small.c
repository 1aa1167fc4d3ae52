// property: valid-deref
#include <stdlib.h>
int main(void) {
  int n = rand() % 4 + 2;
  int *a = malloc(n * sizeof *a);
#ifdef BUG
  a = realloc(a, (n - 1) * sizeof *a);
#else
  a = realloc(a, (n + 1) * sizeof *a);
#endif
  a[n - 1] = 1;
  free(a);
}
