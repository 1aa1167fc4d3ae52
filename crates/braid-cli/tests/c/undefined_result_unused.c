// expect: unsafe
// A missing value that nobody uses does no harm.
#include <assert.h>

static int nothing(int *p)
{
    *p = 1;
}

int main(void)
{
    int x = 0;
    nothing(&x);
    assert(x == 0);
    return 0;
}
