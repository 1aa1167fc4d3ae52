// expect: safe
// Blocks end where they end, whatever their size.
#include <assert.h>
#include <stdlib.h>
int nondet(void);
unsigned nondetu(void);
int main(void) {
    for (int r = 0; r < 2; r++) {
        int *p = malloc(12), i = nondet();
        p[i] = 1;
        assert(0 <= i && i < 3);
    }
    unsigned n = nondetu(), k = nondetu();
    if (n > 100) return 0;
    char *c = malloc(n);
    c[k] = 1;
    assert(k < n);
    return 0;
}
