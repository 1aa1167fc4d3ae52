// expect: safe
// expect -D WRONG: unsafe
// Treiber's stack: nodes are pushed and popped by compare-and-swap. Nobody gets what another one has got, and nothing is lost.
#include "model.h"
#include <stdatomic.h>

struct node { int value; struct node *next; };
_Atomic(struct node *) top;
struct node nodes[2];
int taken[2];

void push(struct node *node) {
#ifdef WRONG
  node->next = atomic_load(&top);
  atomic_store(&top, node);
#else
  struct node *seen = atomic_load(&top);
  do node->next = seen;
  while (!atomic_compare_exchange_strong(&top, &seen, node));
#endif
}

struct node *pop(void) {
  struct node *seen = atomic_load(&top);
  while (seen && !atomic_compare_exchange_strong(&top, &seen, seen->next)) {}
  return seen;
}

void *worker(void *own) {
  struct node *mine = own;
  push(mine);
  struct node *other = pop();
  check(other != 0);
  taken[other->value] = taken[other->value] + 1;
  check(taken[other->value] == 1);
  return 0;
}

int main() {
  pthread_t a, b;
  nodes[1].value = 1;
  pthread_create(&a, 0, worker, &nodes[0]);
  pthread_create(&b, 0, worker, &nodes[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  check(top == 0);
}
