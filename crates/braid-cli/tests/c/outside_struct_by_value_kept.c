// expect: safe
#include <assert.h>
struct view { int *data; int length; };
void use(struct view v);

int main() {
    int x = 1;
    struct view v = {&x, 1};
    use(v);
    assert(v.length == 1 && v.data == &x);
}
