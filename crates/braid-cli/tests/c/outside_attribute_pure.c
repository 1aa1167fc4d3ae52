// expect: safe
// A function that is declared `pure` or `const` writes nothing.
#include <assert.h>
int sum(int *numbers) __attribute__((pure));
int square(int *number) __attribute__((const));

int main() {
    int a[3] = {1, 2, 3};
    int s = sum(a) + square(&a[1]);
    assert(a[0] == 1 && a[1] == 2 && a[2] == 3);
}
