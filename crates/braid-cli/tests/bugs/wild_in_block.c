// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; int v; };
int main(void) {
#ifdef BUG
  struct node *n = malloc(sizeof *n);
#else
  struct node *n = calloc(1, sizeof *n);
#endif
  int r = n->next ? n->next->v : 0;
  free(n);
  return r;
}
