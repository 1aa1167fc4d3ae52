// expect: unsafe
#include <assert.h>
union vector { struct { int x, y; } s; int at[2]; };
int main(void) {
    union vector v;
    v.s.x = 1;
    v.s.y = 2;
    v.at[1] = 7;
    assert(v.s.y == 2);
    return 0;
}
