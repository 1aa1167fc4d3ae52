// expect: unsafe
// An integer that is passed as a float has lost its last bit.
#include <assert.h>

static int same(float x, int n) { return x == n + 0.0; }

int main(void) { assert(same(16777217, 16777217)); }
