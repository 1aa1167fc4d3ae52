// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
struct box { int v; };
void drop(struct box *b) { free(b); }
int main(void) {
  struct box *b = malloc(sizeof *b);
  b->v = 3;
#ifdef BUG
  drop(b);
  return b->v;
#else
  int v = b->v;
  drop(b);
  return v;
#endif
}
