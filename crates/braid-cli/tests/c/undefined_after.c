// expect: unsafe
// What comes after the violation does not count, nor what another thread would do next.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

int x = INT_MAX;
int reached;

void *overflow(void *arg)
{
    reached = 1;
    x++;
    reached = 0;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, overflow, 0);
    assert(!reached);
    int zero = 0;
    return 1 / zero;
}
