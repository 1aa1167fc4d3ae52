// expect: safe
#include <assert.h>
void set(int *x);

int main() {
    int x = 1, *p = 0;
    if (x == 2)
        p = &x;
    set(p);
    assert(x == 1);
}
