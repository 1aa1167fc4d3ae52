// expect: safe
// A pointer keeps its value or becomes null: this is assumed.
#include <assert.h>
void use(int **p);

int main() {
    int x = 1, y = 2, *p = &x;
    use(&p);
    assert(p == &x || p == 0);
    assert(y == 2);
}
