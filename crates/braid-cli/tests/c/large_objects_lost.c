// expect: unsafe
// An address far inside of one object is not one of another: what is written there is found there.
#include <assert.h>
static int a[1 << 23], b[1 << 23];
int main(void) {
    int *p = &a[1 << 22], *q = b;
    *q = 1;
    *p = 2;
    assert(a[1 << 22] == 1 || *q != 1);
    return 0;
}
