// expect: unsafe
// options: --data-model LP64
// The product of two large unsigned numbers is no undefined behaviour.
#include <assert.h>
int main(void) {
    unsigned long u = ~0UL, r;
    assert(!__builtin_umull_overflow(u, u, &r));
    return 0;
}
