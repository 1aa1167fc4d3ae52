// expect: unsafe
// Two blocks can fall into one bucket.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
static unsigned bucket(void *p) { return ((uintptr_t)p >> 4) % 64; }
int main(void) {
    unsigned b[2];
    for (int i = 0; i < 2; i++) {
        int *p = malloc(4);
        *p = i;
        b[i] = bucket(p);
        assert(b[i] < 64);
    }
    assert(b[0] != b[1]);
    return 0;
}
