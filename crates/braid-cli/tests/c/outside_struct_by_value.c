// expect: unsafe
// A struct by value hands over what it points to.
#include <assert.h>
struct view { int *data; int length; };
void use(struct view v);

int main() {
    int x = 1;
    struct view v = {&x, 1};
    use(v);
    assert(x == 1);
}
