// expect: safe
// A shift by as many bits as there are, or by a negative number, ends the execution.
#include <assert.h>

int nondet(void);

int main(void)
{
    int by = nondet();
    int x = 1 << by;
    assert(by >= 0 && by < 32);
    long long far = 4294967296LL;
    unsigned y = 1u;
    if (x == 2) {
        y = y >> (far + by);
        assert(0);
    }
    y <<= by;
    assert(y != 0);
    return 0;
}
