// expect: safe
// options: --data-model LP64
// Products of unsigned numbers of 64 bits are exact, and the forms with a type in their name convert to it first.
#include <assert.h>
int main(void) {
    unsigned long u = ~0UL, r;
    long s;
    int i;
    signed char c;
    unsigned w;
    assert(__builtin_umull_overflow(u, u, &r) == 1 && r == 1);
    assert(__builtin_mul_overflow(u, u, &r) == 1 && r == 1);
    assert(__builtin_mul_overflow(u, 1, &r) == 0 && r == u);
    assert(__builtin_mul_overflow(u, -1, &s) == 1 && s == 1);
    assert(__builtin_mul_overflow(-1, 5, &w) == 1 && w == 4294967291u);
    assert(__builtin_mul_overflow(-1, 0, &w) == 0 && w == 0);
    assert(__builtin_mul_overflow(-128, 1, &c) == 0 && c == -128);
    assert(__builtin_mul_overflow(-43, 3, &c) == 1 && c == 127);
    assert(__builtin_sadd_overflow(4294967295u, 1, &i) == 0 && i == 0);
    assert(__builtin_uadd_overflow(-1, 1, &w) == 1 && w == 0);
    assert(__builtin_smul_overflow(1L << 32, 5, &i) == 0 && i == 0);
    assert(__builtin_usub_overflow(1, 2, &w) == 1 && w == 4294967295u);
    return 0;
}
