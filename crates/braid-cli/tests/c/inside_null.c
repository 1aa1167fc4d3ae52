// expect: safe
#include <assert.h>
#include <stdlib.h>
static int x;
int nondet(void);
int main(void) {
    int *p = nondet() ? &x : 0, *q = nondet() ? malloc(4) : 0;
    *p = 1;
    assert(p != 0);
    *q = 1;
    assert(q != 0);
    return 0;
}
