// expect: unsafe
// A jump back ends the lives of variables as well.
#include <assert.h>
int main(void) {
    int round = 0;
again:;
    int a[2];
    if (round == 1) {
        assert(a[0] == 4);
        return 0;
    }
    a[0] = 4;
    round = 1;
    goto again;
}
