// expect: safe
// An access outside of all objects that a pointer can point to is undefined.
#include <assert.h>
static int x, y, a[4];
int nondet(void);
int main(void) {
    int *p = nondet() ? &x : &y, i = nondet();
    p[i] = 1;
    assert(i == 0);
    int *q = a + 2, k = nondet();
    q[k] = 1;
    assert(-2 <= k && k <= 1);
    return 0;
}
