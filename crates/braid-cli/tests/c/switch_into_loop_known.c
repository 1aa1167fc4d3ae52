// expect: unsafe
// Behind the jump into the loop, `x` is not what was assigned in front of the loop.
#include <assert.h>

int nondet(void);
int main(void)
{
    int x = 0, rounds = 0;
    switch (nondet()) {
    case 1:
        x = 1;
        while (x == 1 && rounds < 3) {
        case 2:
            rounds++;
        }
        assert(rounds == 3);
    }
    return 0;
}
