// expect: safe
// expect -D WRONG: unsafe
// The address of a field reaches the whole block.
#include <assert.h>
#include <stdlib.h>
#ifndef WRONG
struct item { int a; int b[2]; };
#else
struct item { int a; int b; };
#endif
void set(int *x);

struct item *make(int a) {
    struct item *i = malloc(sizeof *i);
    i->a = a;
    return i;
}

int main() {
    struct item *x = make(1), *y = make(2);
#ifndef WRONG
    set(&x->b[1]);
#else
    set(&x->b);
#endif
    assert(y->a == 2);
#ifdef WRONG
    assert(x->a == 1);
#endif
}
