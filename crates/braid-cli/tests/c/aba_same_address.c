// expect: unsafe
// A block that was freed can come back.
#include <assert.h>
#include <stdlib.h>
static int *make(void) { return malloc(sizeof(int)); }
int main(void) {
    int *a = make(), *old = a;
    free(a);
    int *b = make();
    assert(b != old);
    return 0;
}
