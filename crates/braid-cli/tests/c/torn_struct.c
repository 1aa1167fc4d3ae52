// expect: safe
// An atomic struct is read and written in one step.
// expect -D WRONG: unsafe
// A struct that is not atomic is read and written member by member.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct pair { int first, second; };
#ifndef WRONG
static _Atomic struct pair shared;
#else
static struct pair shared;
#endif
static void *thread(void *argument) {
    for (int i = 1; i < 3; i++) {
        struct pair p = { i, i };
        shared = p;
    }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    struct pair p = shared, q;
    q = shared;
    assert(p.first == p.second && q.first == q.second && p.first <= q.first);
    pthread_join(t, 0);
    return 0;
}
