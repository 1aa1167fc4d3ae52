// expect: unsafe
// Some inputs overflow, and others violate the assertion without that.
#include <assert.h>

int nondet(void);

int main(void)
{
    int x = nondet();
    int y = x * 3;
    int z = y + 5;
    assert(z != 35);
    return 0;
}
