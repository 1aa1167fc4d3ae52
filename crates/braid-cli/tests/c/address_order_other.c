// expect: unsafe
// It is not known which of two objects comes first.
#include <assert.h>
int a, b;
int main(void) {
    int *p = &a, *q = &b;
    assert(p > q);
    return 0;
}
