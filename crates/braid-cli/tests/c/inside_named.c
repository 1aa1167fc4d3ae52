// expect: safe
// An index outside of its array is undefined.
#include <assert.h>
static int a[3], b[3];
int nondet(void);
int main(void) {
    int i = nondet();
    a[i] = 1;
    assert(0 <= i && i < 3);
    int m[2][3], j = nondet();
    m[0][j] = 1;
    assert(j < 3 && b[0] == 0);
    return 0;
}
