// expect: unsafe
// The array is accessed through pointers, and beside another one.
#include <assert.h>
void fill(int *numbers);

int main() {
    int a[40] = {0}, b[40] = {0}, *p = a;
    p[3] = 1;
    p = b;
    p[3] = 2;
    fill(a);
    assert(b[3] == 2);
    assert(a[39] == 0);
}
