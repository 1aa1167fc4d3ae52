// expect: unsafe
// The struct stays, what it points to may not.
#include <assert.h>
struct box { int number; int *inside; const int *shown; };
void use(const struct box *b);

int main() {
    int a = 1, b = 2;
    struct box box = {3, &a, &b};
    use(&box);
    assert(a == 1);
}
