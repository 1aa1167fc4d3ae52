// expect: unsafe
// A loop that is entered by a jump: its test sees what was known at the jump, too.
#include <assert.h>

int nondet(void);
int main(void)
{
    int x = 7, rounds = 0;
    if (nondet())
        goto inside;
    x = 1;
    while (x == 1 && rounds < 3) {
    inside:
        rounds++;
    }
    assert(rounds == 3);
    return 0;
}
