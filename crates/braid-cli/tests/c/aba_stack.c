// expect: safe
// Without `free` no block comes back.
// expect -D WRONG: unsafe
// A lock-free stack whose nodes come back from `malloc`: the head has the same address again, and another successor.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *_Atomic head;
static int taken[3];
static struct node *make(int value, struct node *next) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = next;
    return n;
}
static struct node *pop(void) {
    struct node *old = head;
    while (old) {
        struct node *next = old->next;
        if (atomic_compare_exchange_strong(&head, &old, next)) return old;
    }
    return 0;
}
static void *thread(void *argument) {
    struct node *n = pop();
    if (n) taken[n->value]++;
    return 0;
}
int main(void) {
    pthread_t t;
    head = make(0, make(1, 0));
    pthread_create(&t, 0, thread, 0);
    struct node *a = pop(), *b = pop();
    if (a && b) {
        taken[a->value]++;
        taken[b->value]++;
#ifdef WRONG
        free(a);
#endif
        struct node *n = make(2, 0);
        head = n;
    }
    pthread_join(t, 0);
    struct node *n = pop();
    if (n) taken[n->value]++;
    assert(taken[1] <= 1);
    return 0;
}
