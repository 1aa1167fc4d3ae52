// expect: safe
// Inside of one object, order and distance are known.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
static int a[10];
static struct { int x, y; } s;
int main(void) {
    int *p = a + 3, *q = a + 7, *h = malloc(40), sum = 0;
    assert(p < q && q - p == 4 && (uintptr_t)q - (uintptr_t)p == 16);
    assert((char *)&s.y > (char *)&s.x);
    for (int *i = h; i < h + 3; i++) *i = 1;
    for (int *i = h; i < h + 3; i++) sum += *i;
    assert(sum == 3);
    return 0;
}
