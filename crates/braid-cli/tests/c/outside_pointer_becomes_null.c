// expect: unsafe
#include <assert.h>
void use(int **p);

int main() {
    int x = 1, *p = &x;
    use(&p);
    assert(p == &x);
}
