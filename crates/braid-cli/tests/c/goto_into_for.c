// expect: unsafe
// A jump into the body of a `for` leaves what the loop declares without a value.
#include <assert.h>
int main(void) {
    int rounds = 0;
again:
    rounds++;
    if (rounds == 2) goto inside;
    for (int i = 7; i < 8; i++) {
        rounds += 0;
    inside:
        assert(i == 7 || i == 8);
    }
    if (rounds < 2) goto again;
    return 0;
}
