// expect: safe
// options: --property no-data-race
// Both only read.
#include <pthread.h>
char text[4];
void show(const char *text);

void *run(void *argument) {
    show(text);
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    show(text);
    return 0;
}
