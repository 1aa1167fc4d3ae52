// expect: safe
// Both blocks come from one call, and one of them is handed over.
#include <assert.h>
#include <stdlib.h>
struct item { int a; };
void set(struct item *i);

struct item *make(int a) {
    struct item *i = malloc(sizeof *i);
    i->a = a;
    return i;
}

int main() {
    struct item *x = make(1), *y = make(2);
    set(x);
    assert(y->a == 2);
}
