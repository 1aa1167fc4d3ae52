// property: valid-deref
#include <stdlib.h>
void set(int n, int m, int a[n][m], int row, int column) { a[row][column] = 1; }
int main(void) {
  int n = 2, m = 3;
  int(*a)[m] = malloc(n * sizeof *a);
  set(n, m, a, 1, 2);
#ifdef BUG
  set(n, m, a, 2, 0);
#endif
  free(a);
}
