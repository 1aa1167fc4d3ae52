// expect: unsafe
// `time` gives any long, not just an int.
#include <assert.h>
#include <time.h>
int main(void) {
    assert(time(0) < (1L << 40));
    return 0;
}
