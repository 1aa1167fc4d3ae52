// property: valid-free
#include <pthread.h>
#include <stdlib.h>
struct pair { int *a, *b; };
int main(void) {
  struct pair p;
  p.a = malloc(4);
#ifdef BUG
  p.b = p.a;
#else
  p.b = malloc(4);
#endif
  free(p.a);
  free(p.b);
}
