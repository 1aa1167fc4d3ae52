// expect: unsafe
// Of a union, the member that is used is written.
#include <assert.h>
union number { int whole; char bytes[4]; };
void set(union number *n);

int main() {
    union number n;
    n.whole = 1;
    set(&n);
    assert(n.whole == 1);
}
