// property: valid-deref
#include <stdlib.h>
int main(void) {
  int *a = malloc(2 * sizeof *a), *old = a;
  a[0] = a[1] = 1;
  a = realloc(a, 4 * sizeof *a);
#ifdef BUG
  old[1] = 2;
#endif
  a[3] = a[1];
  free(a);
}
