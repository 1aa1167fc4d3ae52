// expect: unsafe
// The variable belongs to the caller of the function that hands it over.
#include <assert.h>
void set(int *x);

void twice(int *x) {
    set(x);
    set(x);
}

int main() {
    int x = 1;
    twice(&x);
    assert(x == 1);
}
