// expect: unknown (`pow` is not supported
// What a power is, is not known; a wrong one violates nothing.
#include <assert.h>
#include <math.h>
int main(void) {
    assert(pow(2, 10) == 1024);
    return 0;
}
