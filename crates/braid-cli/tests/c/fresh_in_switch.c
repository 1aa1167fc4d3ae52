// expect: unsafe
// A `switch` jumps over the declaration: in the next round the variable is a new one all the same.
#include <assert.h>
int main(void) {
    for (int i = 0; i < 2; i++) {
        switch (i) {
            int x;
        case 0:
            x = 5;
            break;
        case 1:
            assert(x == 5);
        }
    }
    return 0;
}
