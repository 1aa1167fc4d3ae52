// expect: unknown (comparing addresses of two allocations as numbers, where freed blocks could come back
// The number is still that of the first block, which the second call can give again.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(24);
    uintptr_t old = (uintptr_t)p;
    free(p);
    char *q = malloc(24);
    assert((uintptr_t)q != old);
    return 0;
}
