// expect: unsafe
// As with GCC, a shift may move a bit into the sign.
#include <assert.h>

int nondet(void);

int main(void)
{
    int x = 1;
    x = x << 31;
    int minus = -1;
    assert(x >= 0 || (minus << 3) != -8 || (3 << 31) != x);
    return 0;
}
