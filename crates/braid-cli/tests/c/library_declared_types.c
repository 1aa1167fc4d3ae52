// expect: unsafe
// `time` gives a long, not just an int.
#include <assert.h>
#include <time.h>
int main(void) {
    assert(time(0) < (1L << 32));
    return 0;
}
