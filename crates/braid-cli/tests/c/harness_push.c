// expect: safe
// options: --setup "start(&stack)" --threads "push(&stack, 1)" --threads "push(&stack, *)" --finally "assert(stack.used == 2)"
// A library without `main`: two threads push, with a lock.
// expect -D WRONG: unsafe
// A library without `main`: two threads push, without a lock.
#include <assert.h>
#include <pthread.h>

struct stack {
  int values[4], used;
  pthread_mutex_t lock;
};
static struct stack stack;

void start(struct stack *s) {
  s->used = 0;
  pthread_mutex_init(&s->lock, 0);
}

void push(struct stack *s, int value) {
#ifndef WRONG
  pthread_mutex_lock(&s->lock);
#endif
  s->values[s->used++] = value;
#ifndef WRONG
  pthread_mutex_unlock(&s->lock);
#endif
}
