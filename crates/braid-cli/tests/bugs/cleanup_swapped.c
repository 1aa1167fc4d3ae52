// property: valid-memcleanup
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  char *a = malloc(4), *b = malloc(4), *old = a;
  a = b;
#ifdef BUG
  free(a);
#else
  b = old;
  free(a);
  free(b);
#endif
}
