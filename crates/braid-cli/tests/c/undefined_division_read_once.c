// expect: safe
// What is divided by is read once: what is not zero when it is read is what is divided by.
#include <assert.h>
#include <pthread.h>

int d = 1;
int q = 1;

void *change(void *arg)
{
    d = 0;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, change, 0);
    q = 6 / d;
    assert(q == 6);
    pthread_join(t, 0);
    return 0;
}
