// expect: unsafe
#include <assert.h>
#include <string.h>

static unsigned char from[301], to[301];

int main(void)
{
    memset(from, 7, 300);
    memcpy(to, from, sizeof to);
    assert(to[300] == 7);
    return 0;
}
