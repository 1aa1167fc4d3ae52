// expect: safe
// A count beside the pointer tells the two apart.
// expect -D WRONG: unsafe
// Without a count beside the pointer the two are not told apart.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *head;
static int count;
static int bad;
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static struct node *make(int value, struct node *next) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = next;
    return n;
}
static void *thread(void *argument) {
    __VERIFIER_atomic_begin();
    struct node *old = head;
    int seen = count;
    struct node *next = old ? old->next : 0;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
#ifndef WRONG
    if (old && head == old && count == seen) {
#else
    if (old && head == old) {
#endif
        if (old->next != next) bad = 1;
        head = next;
        count++;
    }
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t;
    head = make(0, 0);
    pthread_create(&t, 0, thread, 0);
    __VERIFIER_atomic_begin();
    struct node *mine = head;
    if (mine) {
        head = mine->next;
        count++;
    }
    __VERIFIER_atomic_end();
    if (mine) {
        free(mine);
        struct node *n = make(1, (struct node *)0);
        __VERIFIER_atomic_begin();
        n->next = n;
        head = n;
        count++;
        __VERIFIER_atomic_end();
    }
    pthread_join(t, 0);
    assert(!bad);
    return 0;
}
