// expect: safe
// A pointer that is never anything but null is not followed.
#include <assert.h>

struct node { struct node *next; int value; };
struct list { struct node *first; } a, b;
static void move(struct list *to, struct list *from) {
  struct node *n;
  to->first = n = from->first;
  from->first = 0;
  for (; n; n = n->next) n->value = 1;
}
int main(void) {
  move(&a, &b);
  assert(a.first == 0);
  return 0;
}
