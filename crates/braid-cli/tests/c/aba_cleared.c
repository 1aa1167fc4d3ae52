// expect: safe
// A block that comes back from `calloc` is zero.
#include <assert.h>
#include <stdlib.h>
static int *make(void) { return calloc(1, sizeof(int)); }
int main(void) {
    int *a = make();
    *a = 1;
    free(a);
    int *b = make();
    assert(*b == 0 || b == a);
    assert(*b == 0);
    return 0;
}
