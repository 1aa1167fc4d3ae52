// expect: safe
// expect -D WRONG: unsafe
// The struct stays, what it points to may not.
#include <assert.h>
struct box { int number; int *inside; const int *shown; };
void use(const struct box *b);

int main() {
    int a = 1, b = 2;
    struct box box = {3, &a, &b};
    use(&box);
#ifndef WRONG
    assert(b == 2 && box.number == 3 && box.inside == &a);
#else
    assert(a == 1);
#endif
}
