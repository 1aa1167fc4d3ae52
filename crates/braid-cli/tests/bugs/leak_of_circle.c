// property: valid-memtrack
// Blocks that lead to each other, and nothing else leads to them.
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; };
static struct node *ring;
static void add(void) {
  struct node *n = malloc(sizeof *n);
  if (ring) {
    n->next = ring->next;
    ring->next = n;
  } else {
    n->next = n;
    ring = n;
  }
}
int main(void) {
  for (int i = 0; i < 3; i++) add();
#ifdef BUG
  ring = NULL;
  add();
#endif
}
