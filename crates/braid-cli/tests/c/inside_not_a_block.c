// expect: safe
// Only the start of a block is freed.
#include <assert.h>
#include <stdlib.h>
int nondet(void);
int main(void) {
    int *a = malloc(8), i = nondet();
    free(a + i);
    assert(i == 0);
    free(0);
    return 0;
}
