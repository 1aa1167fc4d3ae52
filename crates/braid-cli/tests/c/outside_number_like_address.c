// expect: safe
// A number in a struct is no pointer, whatever its value.
#include <assert.h>
struct view { int *data; unsigned long number; };
void use(struct view v);

int main() {
    int x = 1, y = 2;
    struct view v = {&x, 0}, w = {&y, 0};
    for (unsigned long n = 4000; n < 4200; n++) {
        v.data = 0;
        v.number = n;
        use(v);
    }
    assert(x == 1 && y == 2);
}
