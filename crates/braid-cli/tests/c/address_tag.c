// expect: safe
// A tag in the lowest bit of a pointer.
#include <assert.h>
#include <stdint.h>
static int x = 3, y = 4;
int main(void) {
    uintptr_t t = (uintptr_t)&x | 1, u = (uintptr_t)&y;
    assert((t & 1) && !(u & 1));
    int *p = (int *)(t & ~(uintptr_t)1), *q = (int *)u;
    *p = 5;
    assert(x == 5 && *q == 4 && p != q);
    return 0;
}
