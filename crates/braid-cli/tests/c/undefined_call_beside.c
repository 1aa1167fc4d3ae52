// expect: unsafe
// Only one of the two threads' orders calls through a pointer that is not set yet.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int calls;
static void count(void) { calls++; }
void (*handler)(void);

void *set(void *arg)
{
    handler = count;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    handler();
    assert(calls != 1);
    pthread_join(t, 0);
    return 0;
}
