// expect: safe
// options: --data-model lp64
// Blocks of one allocation do not run into those of another, whatever their sizes.
#include <assert.h>
#include <stdlib.h>
unsigned nondet(void);
int main(void) {
    char *a[3], *b[3];
    unsigned n = nondet();
    if (n == 0) return 0;
    for (int i = 0; i < 3; i++) a[i] = malloc(n);
    for (int i = 0; i < 3; i++) b[i] = malloc(1 << 23);
    for (int i = 0; i < 3; i++) {
        a[i][n - 1] = 1;
        b[i][0] = 2;
        assert(a[i] != b[i]);
    }
    assert(a[0][n - 1] == 1 && b[0][0] == 2);
    return 0;
}
