// expect: safe
// expect -D WRONG: unsafe
// A struct by value hands over what it points to.
#include <assert.h>
struct view { int *data; int length; };
void use(struct view v);

int main() {
    int x = 1;
    struct view v = {&x, 1};
    use(v);
#ifndef WRONG
    assert(v.length == 1 && v.data == &x);
#else
    assert(x == 1);
#endif
}
