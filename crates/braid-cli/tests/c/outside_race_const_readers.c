// expect: safe
// options: --property no-data-race
// Both only read.
// expect -D WRONG: unsafe
// What is behind a pointer to const is read.
#include <pthread.h>
char text[4];
void show(const char *text);

void *run(void *argument) {
#ifndef WRONG
    show(text);
#else
    text[0] = 'a';
#endif
    return 0;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    show(text);
    return 0;
}
