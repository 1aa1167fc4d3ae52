// expect: safe
// Cases inside of loops and branches of a `switch`.
#include <assert.h>

static int copied;

static void device(int count)
{
    int rounds = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            copied++;
        case 3:
            copied++;
        case 2:
            copied++;
        case 1:
            copied++;
        } while (--rounds > 0);
    }
}

static int inside(int x)
{
    int y = 5;
    switch (x)
        if (y == 6) {
        case 1:
            y = 10;
        case 2:
            y++;
        } else {
        default:
            y = 20;
        }
    return y;
}

int main(void)
{
    device(7);
    assert(copied == 7);
    assert(inside(1) == 11 && inside(2) == 6 && inside(3) == 20);
    return 0;
}
