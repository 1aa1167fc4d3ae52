// expect: unsafe
// The value of a function that ended without one is any value.
#include <assert.h>

int nondet(void);
static int sign(int x)
{
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
}

int main(void)
{
    int s = sign(nondet());
    assert(s == 1 || s == -1);
    return 0;
}
