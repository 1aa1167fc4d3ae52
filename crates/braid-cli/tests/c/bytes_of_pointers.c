// expect: safe
// A pointer that is copied byte by byte points where it did.
#include "model.h"

struct node { int value; struct node *next; };
int main() {
  struct node a = {1, 0}, b = {2, &a}, c;
  char *to = (char *)&c, *from = (char *)&b;
  for (unsigned i = 0; i < sizeof c; i++) to[i] = from[i];
  c.next->value = 5;
  check(c.value == 2 && a.value == 5);
}
