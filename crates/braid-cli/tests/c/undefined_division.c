// expect: safe
// A division by zero, or one whose result does not fit, ends the execution, in whatever thread it is.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

int nondet(void);
int d;
int q;
int ended;

void *divide(void *arg)
{
    q = 100 / d;
    ended = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    if (nondet())
        return 0;
    pthread_create(&t, 0, divide, 0);
    pthread_join(t, 0);
    assert(!ended);
    int n = nondet();
    assert(n == 0 || 10 % n >= 0);
    int r = INT_MIN;
    if (n == -1) {
        r = r / n;
        assert(0);
    }
    if (n == 0) {
        r = 5 % n;
        assert(0);
    }
    return 0;
}
