// expect: rejected: the order of blocks that one call allocates is looked at
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    uintptr_t p[2];
    for (int i = 0; i < 2; i++) p[i] = (uintptr_t)malloc(4);
    assert(p[0] < p[1]);
    return 0;
}
