// expect: unsafe
// The distance of two objects is not known.
#include <assert.h>
#include <stdint.h>
static int x, y;
int main(void) {
    uintptr_t d = (uintptr_t)&x - (uintptr_t)&y;
    assert(d != 4096);
    return 0;
}
