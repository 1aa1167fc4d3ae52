// expect: safe
// options: --property no-data-race
#include <pthread.h>
struct pair { int first, second; };
static _Atomic struct pair shared;
static void *thread(void *argument) {
    struct pair p = { 1, 1 };
    shared = p;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    struct pair p = shared;
    pthread_join(t, 0);
    return p.first;
}
