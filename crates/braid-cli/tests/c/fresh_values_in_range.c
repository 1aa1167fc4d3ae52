// expect: safe
// Whatever memory without initial values holds, it is a value of its type.
#include <assert.h>
#include <stdlib.h>
#include <stdbool.h>
struct mixed { unsigned char c; short s; bool b; unsigned short many[3]; };
int main(void) {
    for (int i = 0; i < 2; i++) {
        unsigned char a[3], *p = malloc(4), *q = a;
        struct mixed m, *h = malloc(sizeof *h);
        unsigned char big[100];
        assert(a[i] <= 255 && q[1] >= 0 && p[i] <= 255);
        assert(m.c <= 255 && m.s >= -32768 && m.s <= 32767 && (m.b == 0 || m.b == 1));
        assert(m.many[i] <= 65535 && h->many[i] <= 65535 && h->c <= 255 && h->s <= 32767);
        assert(h->b == 0 || h->b == 1);
        assert(big[i] + 1 <= 256);
        a[i] = p[i] = m.c = big[i] = 1;
    }
    return 0;
}
