// expect: safe
// Names and an index for the same numbers.
#include <assert.h>
struct vector { union { struct { int x, y; }; int at[2]; }; int tag; };
union pair { struct { int value, unused; } v[2]; int at[4]; };
int main(void) {
    struct vector v = {.x = 1, .y = 2, .tag = 3};
    assert(v.at[0] == 1 && v.at[1] == 2);
    v.at[1] = 7;
    assert(v.y == 7 && v.x == 1 && v.tag == 3);
    union pair p;
    for (int i = 0; i < 4; i++) p.at[i] = i;
    assert(p.v[1].value == 2 && p.v[1].unused == 3);
    return 0;
}
