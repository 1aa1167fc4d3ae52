// expect: safe
// The value of a function that ended without one must not be used.
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
    int x = nondet();
    sign(0);
    int s = sign(x);
    assert(x != 0);
    assert(s == 1 || s == -1);
    return 0;
}
