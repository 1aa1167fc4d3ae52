// expect: unsafe
// A `goto` jumps over the declaration: the variable is a new one all the same.
#include <assert.h>
int main(void) {
    for (int i = 0; i < 2; i++) {
        if (i == 1) goto inside;
        {
            int x;
            x = 5;
        inside:
            assert(x == 5);
        }
    }
    return 0;
}
