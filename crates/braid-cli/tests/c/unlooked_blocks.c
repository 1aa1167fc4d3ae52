// expect: safe
// Blocks into which nobody looks are different ones.
#include <assert.h>
#include <stdlib.h>
int main(void) {
    void *p[2];
    for (int i = 0; i < 2; i++) p[i] = malloc(1);
    assert(p[0] != p[1]);
    return 0;
}
