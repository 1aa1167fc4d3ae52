// expect: safe
// More objects than are set or copied one by one, and values of many parts.
#include <assert.h>
#include <string.h>

struct big { int first[400]; int second[400]; } a, b;
static unsigned char from[500];

int main(void)
{
    memset(from, 7, sizeof from);
    assert(from[499] == 7);
    a.second[399] = 3;
    b = a;
    assert(b.second[399] == 3);
    return 0;
}
