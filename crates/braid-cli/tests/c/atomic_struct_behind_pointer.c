// expect: unsafe
// Two reads of an atomic struct are two steps.
#include <assert.h>
#include <pthread.h>
struct pair { int first, second; };
static _Atomic struct pair shared[2];
static void *thread(void *argument) {
    _Atomic struct pair *to = argument;
    struct pair p = { 1, 1 };
    *to = p;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, &shared[1]);
    struct pair p = shared[1], q = shared[1];
    assert(p.first == p.second && q.first == q.second);
    assert(p.first == q.second);
    pthread_join(t, 0);
    return 0;
}
