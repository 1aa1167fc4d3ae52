// expect: safe
// options: --property no-data-race
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
    pthread_join(thread, 0);
    set(&shared);
    return 0;
}
