// expect: unsafe
// A character can have an odd address.
#include <assert.h>
#include <stdint.h>
int main(void) {
    char c;
    assert(((uintptr_t)&c & 1) == 0);
    return 0;
}
