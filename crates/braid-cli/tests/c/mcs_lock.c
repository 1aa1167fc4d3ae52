// expect: safe
// expect -D WRONG: unsafe
// The lock of Mellor-Crummey and Scott: each thread waits at a node of its own, and is woken by the one before it.
#include "model.h"
#include <stdatomic.h>

struct node { _Atomic(struct node *) next; atomic_int waiting; };
_Atomic(struct node *) last;
struct node nodes[2];
int inside;

void *worker(void *own) {
  struct node *me = own;
  atomic_store(&me->next, 0);
  atomic_store(&me->waiting, 1);
  struct node *before = atomic_exchange(&last, me);
  if (before) {
    atomic_store(&before->next, me);
#ifndef WRONG
    while (atomic_load(&me->waiting)) {}
#endif
  }
  inside = inside + 1;
  check(inside == 1);
  inside = inside - 1;
  struct node *seen = me;
  if (!atomic_load(&me->next) && atomic_compare_exchange_strong(&last, &seen, 0)) return 0;
  while (!atomic_load(&me->next)) {}
  atomic_store(&atomic_load(&me->next)->waiting, 0);
  return 0;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, 0, worker, &nodes[0]);
  pthread_create(&b, 0, worker, &nodes[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
