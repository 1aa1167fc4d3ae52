// expect: safe
// This holds whatever a power is.
#include <assert.h>
#include <math.h>
int main(void) {
    int larger = 0;
    if (pow(2, 10) > 1000) larger = 1;
    assert(larger == 0 || larger == 1);
    return 0;
}
