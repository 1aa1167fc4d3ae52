// expect: safe
#include <assert.h>
void fill(int *numbers);

int main() {
    int a[4] = {0}, b[4] = {0}, *p = a;
    p[3] = 1;
    p = b;
    p[3] = 2;
    fill(a);
    assert(b[3] == 2);
}
