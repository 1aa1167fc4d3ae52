// expect: unsafe
// A pointer that is declared in a loop is a new one in each round.
#include <assert.h>
int x;
int main(void) {
    for (int i = 0; i < 2; i++) {
        int *p;
        if (i == 0) p = &x;
        assert(p == &x);
    }
    return 0;
}
