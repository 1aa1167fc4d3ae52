// expect: safe
// A list that is always empty is never looked into.
#include <assert.h>

struct node { int value; struct node *next; } first;
int main(void) {
  for (struct node *n = first.next; n; n = n->next) assert(n->value == 0);
}
