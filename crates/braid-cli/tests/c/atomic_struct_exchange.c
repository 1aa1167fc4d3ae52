// expect: safe
// An index with a counter, as stacks have it against reuse.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
typedef struct { int at; unsigned count; } top_t;
_Atomic top_t top = {-1, 0};
int next[2];
void push(int node) {
    top_t old = atomic_load(&top), new;
    do {
        next[node] = old.at;
        new.at = node;
        new.count = old.count + 1;
    } while (!atomic_compare_exchange_weak(&top, &old, new));
}
void *work(void *unused) { push(0); return 0; }
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    push(1);
    pthread_join(other, 0);
    top_t end = atomic_load(&top);
    assert(end.count == 2 && end.at >= 0 && next[end.at] == 1 - end.at && next[1 - end.at] == -1);
    return 0;
}
