// property: valid-deref
// options: --malloc-may-fail
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(sizeof *p);
#ifndef BUG
  if (!p) return 1;
#endif
  *p = 1;
  free(p);
}
