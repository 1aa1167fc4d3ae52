// expect: unsafe
// The address of a field reaches the whole block.
#include <assert.h>
#include <stdlib.h>
struct item { int a; int b; };
void set(int *x);

struct item *make(int a) {
    struct item *i = malloc(sizeof *i);
    i->a = a;
    return i;
}

int main() {
    struct item *x = make(1), *y = make(2);
    set(&x->b);
    assert(y->a == 2);
    assert(x->a == 1);
}
