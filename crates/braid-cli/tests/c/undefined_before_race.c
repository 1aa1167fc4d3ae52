// expect: safe
// options: --property no-data-race
// The thread that would race calls through a null pointer before.
#include <pthread.h>
#include <stddef.h>

int shared;
static void nothing(void) {}
void (*handler)(void) = nothing;

void *thread(void *arg)
{
    handler();
    shared = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    handler = NULL;
    pthread_create(&t, 0, thread, 0);
    shared = 2;
    return 0;
}
