// expect: safe
// options: --property no-overflow
// The division by zero comes first.
#include <limits.h>

int zero;

int main(void)
{
    int x = INT_MAX;
    int y = 1 / zero;
    x = x + 1;
    return x + y;
}
