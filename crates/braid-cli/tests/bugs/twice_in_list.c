// property: valid-free
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; };
int main(void) {
  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  a->next = b;
  b->next = 0;
#ifndef BUG
  b = 0;
#endif
  for (struct node *n = a; n;) {
    struct node *next = n->next;
    free(n);
    n = next;
  }
  free(b);
}
