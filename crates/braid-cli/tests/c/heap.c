// expect: safe
// Lists on the heap: objects of one allocation are apart.
#include "model.h"

struct node { int value; struct node *next; };
struct node *cons(int v, struct node *n) {
  struct node *c = malloc(sizeof(struct node));
  c->value = v;
  c->next = n;
  return c;
}
int main() {
  struct node *l = cons(1, cons(2, 0));
  l->next->value = 5;
  check(l->value == 1 && l->next->value == 5 && l->next->next == 0 && l != l->next);
  int *z = calloc(3, sizeof(int));
  check(z[0] == 0 && z[2] == 0);
}
