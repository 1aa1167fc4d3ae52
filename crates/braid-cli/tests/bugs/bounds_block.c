// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  int n = rand() % 8 + 1;
  int *a = malloc(n * sizeof *a);
#ifdef BUG
  for (int i = 0; i <= n; i++) a[i] = i;
#else
  for (int i = 0; i < n; i++) a[i] = i;
#endif
  free(a);
}
