// expect: unsafe
// Before the division, all is defined.
#include <assert.h>
#include <pthread.h>

int d = 1;
int seen;

void *divide(void *arg)
{
    seen = 10 / d;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, divide, 0);
    d = 0;
    d = 2;
    pthread_join(t, 0);
    assert(seen != 5);
    return 0;
}
