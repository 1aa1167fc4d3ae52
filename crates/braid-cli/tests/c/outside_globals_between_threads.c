// expect: unsafe
// options: --extern step=anything
// The thread names no variable, but it calls a function that may write any.
#include <assert.h>
#include <pthread.h>
void step(void);
int global = 1;

void *run(void *argument) {
    step();
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    int before = global;
    assert(before == global);
}
