// expect: unsafe
// The same, but the list may have a second node.
#include <assert.h>

struct node { int value; struct node *next; } first, second = {1};
int main(int argc, char **argv) {
  if (argc > 1) first.next = &second;
  for (struct node *n = first.next; n; n = n->next) assert(n->value == 0);
}
