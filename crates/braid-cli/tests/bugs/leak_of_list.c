// property: valid-memtrack
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; };
int main(void) {
  struct node *head = 0;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = head;
    head = n;
  }
#ifdef BUG
  free(head);
#else
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
#endif
}
