// expect: safe
// An empty list for an array without a size gives it no elements.
#include <assert.h>

struct text { int length; char letters[]; };
static struct text none = { .length = 4, .letters = {} };

int main(void)
{
    assert(none.length == 4 && sizeof none == 4);
    return 0;
}
