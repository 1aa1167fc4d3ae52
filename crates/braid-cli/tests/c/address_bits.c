// expect: safe
// The bits of an address are open but for its alignment.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
struct S { int a, b, c; };
static _Alignas(32) char room[3];
int main(void) {
    long x;
    short s[4];
    struct S t;
    assert(((uintptr_t)&x & 7) == 0 && ((uintptr_t)s & 1) == 0 && ((uintptr_t)&t & 3) == 0);
    assert((uintptr_t)room % 32 == 0);
    for (int i = 0; i < 3; i++) {
        struct S *p = malloc(sizeof *p);
        p->a = 1;
        assert(((uintptr_t)p & 7) == 0);
    }
    assert(((uintptr_t)malloc(3) & 7) == 0);
    return 0;
}
