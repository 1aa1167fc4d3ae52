// property: valid-memtrack
// The program may end at any moment: one of two pointers leads to the list at each of them.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *next; };
static _Atomic(struct node *) here, there;
static void *move(void *arg) {
#ifdef BUG
  here = NULL;
#else
  there = here;
  here = NULL;
#endif
  return NULL;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) {
    struct node *n = malloc(sizeof *n);
    n->next = here;
    here = n;
  }
  pthread_create(&t, NULL, move, NULL);
  pthread_detach(t);
}
