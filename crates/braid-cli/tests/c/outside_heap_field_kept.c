// expect: safe
#include <assert.h>
#include <stdlib.h>
struct item { int a; int b[2]; };
void set(int *x);

struct item *make(int a) {
    struct item *i = malloc(sizeof *i);
    i->a = a;
    return i;
}

int main() {
    struct item *x = make(1), *y = make(2);
    set(&x->b[1]);
    assert(y->a == 2);
}
