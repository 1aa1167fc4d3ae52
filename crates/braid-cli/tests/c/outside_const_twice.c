// expect: unknown (`f` has no body, is called more than once, and its result depends on its arguments alone
#include <assert.h>
extern int f(int) __attribute__((const));
int main(void) {
    assert(f(3) == f(3));
    return 0;
}
