// expect: safe
// What is written after the declaration stays; what is declared once is not touched by other declarations.
#include <assert.h>
struct pair { int first, second; };
int main(void) {
    struct pair outer;
    outer.first = 3;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        struct pair inner;
        int a[4];
        inner.first = i;
        inner.second = 1;
        for (int k = 0; k < 4; k++) a[k] = inner.second;
        sum += a[i] + inner.second;
        assert(inner.first == i);
    }
    assert(outer.first == 3 && sum == 6);
    return 0;
}
