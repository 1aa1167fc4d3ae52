// Two threads push onto a stack: both nodes are there, whoever was first.
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node { struct node *next; int value; };
struct node *_Atomic top;
struct node nodes[2];

void *push(void *argument) {
  struct node *node = argument;
  node->next = top;
  while (!atomic_compare_exchange_weak(&top, &node->next, node)) ;
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, push, &nodes[0]);
  push(&nodes[1]);
  pthread_join(other, 0);
  int count = 0;
  for (struct node *node = top; node && count < 5; node = node->next) count++;
  assert(count == 2);
}
