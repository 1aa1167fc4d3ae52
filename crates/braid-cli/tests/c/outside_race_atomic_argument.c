// expect: safe
// options: --property no-data-race
// Whoever gets a pointer to an atomic type accesses it atomically.
#include <pthread.h>
#include <stdatomic.h>
atomic_int shared;
void set(atomic_int *x);

void *run(void *argument) {
    shared = 1;
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    set(&shared);
    return 0;
}
