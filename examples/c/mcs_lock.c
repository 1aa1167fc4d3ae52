// The queue lock of Mellor-Crummey and Scott: each thread waits at a node of its own.
//
// The bug: `must_wait` is set only once, where the node is made. At the second acquisition it is still false from the
// last hand-over, and the thread does not wait.
// expect: safe
// expect -D BUG: unsafe (unreach-call, no-data-race)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct node {
  _Atomic(struct node *) next;
  atomic_bool must_wait;
} node;

static _Atomic(node *) tail; // the last one in the queue; null: the lock is free

static void acquire(node *me) {
  atomic_store(&me->next, NULL);
#ifndef BUG
  atomic_store(&me->must_wait, true);
#endif
  node *before = atomic_exchange(&tail, me);
  if (before != NULL) {
    atomic_store(&before->next, me);
    while (atomic_load(&me->must_wait)) {
    }
  }
}

static void release(node *me) {
  if (atomic_load(&me->next) == NULL) {
    node *expected = me;
    if (atomic_compare_exchange_strong(&tail, &expected, NULL)) return;
    while (atomic_load(&me->next) == NULL) { // somebody has come, and will say so
    }
  }
  node *after = atomic_load(&me->next);
  atomic_store(&after->must_wait, false);
}

static int inside;
static node nodes[2] = {{NULL, true}, {NULL, true}};

static void *worker(void *my_node) {
  for (int round = 0; round < 2; round++) {
    acquire(my_node);
    inside++;
    assert(inside == 1);
    inside--;
    release(my_node);
  }
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, worker, &nodes[0]);
  pthread_create(&second, NULL, worker, &nodes[1]);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
