#include <pthread.h>
#include <stdatomic.h>
void reach_error(void) {}

int message;
atomic_int ready;

void *send(void *unused) {
    message = 42;
    atomic_store(&ready, 1);
    return 0;
}

int main(void) {
    pthread_t sender;
    pthread_create(&sender, 0, send, 0);
    while (!atomic_load(&ready)) {
    }
    if (message != 42)
        reach_error();
    pthread_join(sender, 0);
    return 0;
}
