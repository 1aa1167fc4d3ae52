// expect: safe
// options: --extern step=anything
// What the library keeps for itself is no variable of the program.
#include <assert.h>
#include <pthread.h>
void step(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t t;

void *run(void *argument) {
    int x = 1;
    pthread_mutex_lock(&m);
    assert(x == 1);
    pthread_mutex_unlock(&m);
    return 0;
}

int main() {
    step();
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    assert(pthread_mutex_trylock(&m) == 0);
}
