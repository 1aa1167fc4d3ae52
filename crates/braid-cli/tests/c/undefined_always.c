// expect: unknown
// With GCC's -fwrapv, this fails; without, nothing is said.
#include <assert.h>
#include <limits.h>

int main(void)
{
    int x = INT_MAX;
    x++;
    assert(x > 0);
    return 0;
}
