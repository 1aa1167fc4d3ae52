// expect: unsafe
// options: --property no-data-race
#include <pthread.h>
struct pair { int a, b; } shared;
void use(struct pair p);

void *run(void *argument) {
    shared.b = 1;
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    use(shared);
    return 0;
}
