// property: valid-memcleanup
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; };
static struct node *head;
int main(void) {
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = head;
    head = n;
  }
#ifdef BUG
  while (head->next) {
#else
  while (head) {
#endif
    struct node *n = head;
    head = n->next;
    free(n);
  }
}
