// expect: safe
// The pointer could have meant both, but it means one.
#include <assert.h>
int __VERIFIER_nondet_int(void);
void set(int *x);

int main() {
    int x = 1, y = 1;
    int first = __VERIFIER_nondet_int() != 0;
    set(first ? &x : &y);
    if (first)
        assert(y == 1);
    else
        assert(x == 1);
}
