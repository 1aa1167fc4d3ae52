// expect: unsafe
// A function without a body may write what it gets the address of.
#include <assert.h>
void set(int *x);

int main() {
    int x = 1;
    set(&x);
    assert(x == 1);
}
