// expect: safe
// What was freed is not accessed, and not freed again.
#include <assert.h>
#include <stdlib.h>
int nondet(void);
static int *make(void) { return malloc(4); }
int main(void) {
    int *a = make(), *b = make();
    int both = nondet();
    free(a);
    if (both) free(b);
    *b = 1;
    assert(!both);
    int again = nondet();
    free(again ? a : b);
    assert(!again);
    return 0;
}
