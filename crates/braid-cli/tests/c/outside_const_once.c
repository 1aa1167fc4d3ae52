// expect: unsafe
// One call of a function that is declared `const` gives any number.
#include <assert.h>
extern int f(int) __attribute__((const));
int main(void) {
    assert(f(3) != 4);
    return 0;
}
