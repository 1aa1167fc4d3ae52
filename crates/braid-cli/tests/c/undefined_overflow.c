// expect: safe
// An int that gets larger than INT_MAX is no execution of C.
#include <assert.h>
#include <limits.h>

int nondet(void);

int main(void)
{
    int x = nondet();
    int y = nondet();
    if (x > 0 && y > 0)
        assert(x + y > 0);
    if (x > 1)
        assert(x * 2 > x);
    int z = x;
    z++;
    assert(z > x);
    if (y < 0)
        assert(-y > 0);
    y -= 1;
    assert(y < INT_MAX);
    long long wide = nondet();
    wide = wide * 4294967296LL * 2;
    assert(wide <= 0 || wide >= 8589934592LL);
    return 0;
}
