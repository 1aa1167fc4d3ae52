// A stack without locks, after Treiber: push and pop change `top` with compare-and-swap.
//
// The bug: `pop` frees the node at once. Another `pop` may have read the same `top`, and looks into the freed node.
// Without the bug, nodes are kept until all threads have ended.
// expect: safe
// expect -D BUG: unsafe (valid-deref, no-data-race)
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
  int value;
  struct node *next;
} node;

static _Atomic(node *) top;

static void push(node *n, int value) {
  n->value = value;
  node *old = atomic_load(&top);
  do {
    n->next = old;
  } while (!atomic_compare_exchange_strong(&top, &old, n));
}

static node *pop(void) {
  node *old = atomic_load(&top);
  while (old != NULL && !atomic_compare_exchange_strong(&top, &old, old->next)) {
  }
  return old;
}

static void *popper(void *popped) {
  node *n = pop();
#ifdef BUG
  free(n);
  n = NULL;
#endif
  *(node **)popped = n;
  return NULL;
}

int main(void) {
  push(malloc(sizeof(node)), 1);
  push(malloc(sizeof(node)), 2);
  pthread_t first, second;
  node *popped[2];
  pthread_create(&first, NULL, popper, &popped[0]);
  pthread_create(&second, NULL, popper, &popped[1]);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  free(popped[0]);
  free(popped[1]);
  return 0;
}
