// expect: unsafe
// A block that comes back holds anything.
#include <assert.h>
#include <stdlib.h>
static int *make(void) { return malloc(sizeof(int)); }
int main(void) {
    int *a = make();
    *a = 1;
    free(a);
    int *b = make();
    if (b == a) assert(*b == 1);
    return 0;
}
