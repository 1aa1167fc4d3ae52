// expect: safe
// Blocks that live are different ones, however often blocks are freed.
#include <assert.h>
#include <stdlib.h>
static int *make(void) { return malloc(sizeof(int)); }
int main(void) {
    int *a = make();
    *a = 1;
    free(a);
    int *b = make();
    int *c = make();
    *b = 2;
    *c = 3;
    assert(b != c && *b == 2 && *c == 3);
    return 0;
}
