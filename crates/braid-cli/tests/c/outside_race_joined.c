// expect: safe
// options: --property no-data-race
// expect -D WRONG: unsafe
#include <pthread.h>
int shared;
void set(int *x);

void *run(void *argument) {
    set(&shared);
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
#ifndef WRONG
    pthread_join(thread, 0);
#endif
    set(&shared);
    return 0;
}
