// property: valid-free
#include <pthread.h>
#include <stdlib.h>
struct s { int a, b; };
int main(void) {
  struct s *p = malloc(sizeof *p);
#ifdef BUG
  free(&p->b);
#else
  free(&p->a);
#endif
}
