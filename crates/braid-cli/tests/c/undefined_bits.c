// expect: safe
// options: --ints bv
// The same with bit-vectors, which would wrap around.
#include <assert.h>

int nondet(void);

int main(void)
{
    int x = nondet(), y = nondet();
    if (x >= 0 && y >= 0)
        assert(x + y >= x);
    if (x > 0 && y < 0)
        assert(x - y > 0);
    if (x == 65536 && y >= x)
        assert(x * y != 0);
    int z = -x;
    assert(x >= 0 || z > 0);
    return 0;
}
