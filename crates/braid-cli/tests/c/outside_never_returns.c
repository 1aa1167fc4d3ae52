// expect: safe
#include <assert.h>
_Noreturn void fail(int *x);

int main() {
    int x = 1;
    if (x == 1)
        fail(&x);
    assert(0);
}
