// expect: unsafe
// options: --data-model lp64
// Blocks from the heap are aligned to 16, not to more.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    for (int i = 0; i < 2; i++) {
        int *p = malloc(12);
        *p = 1;
        assert((uintptr_t)p % 16 == 0);
        assert((uintptr_t)p % 32 == 0);
    }
    return 0;
}
