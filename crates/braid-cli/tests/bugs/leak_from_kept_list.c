// property: valid-memtrack
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *head;
static void push(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = head;
  head = n;
}
int main(void) {
  for (int i = 0; i < 4; i++) push(i);
#ifdef BUG
  head = head->next;
#endif
}
