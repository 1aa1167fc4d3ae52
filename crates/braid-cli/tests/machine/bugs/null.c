// property: no-crash
// A list node that is taken away between a look and a use; the weights are floating-point numbers.
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; double weight; } *head;
void *pop(void *unused) {
  head = head->next;
  return 0;
}
int main(void) {
  pthread_t t;
  head = calloc(1, sizeof *head);
  head->weight = 0.5;
  pthread_create(&t, 0, pop, 0);
  int heavy = head && head->weight > 1.0;
  pthread_join(t, 0);
  return heavy;
}
