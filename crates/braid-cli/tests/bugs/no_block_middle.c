// property: valid-free
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(4), *q = p;
  q++;
#ifdef BUG
  free(q);
#else
  free(p);
#endif
}
