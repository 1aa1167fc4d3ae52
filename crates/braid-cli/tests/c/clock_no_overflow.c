// expect: safe
// options: --property no-overflow
// A clock shows a time to which something can be added.
#include <time.h>
int main(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    long nanoseconds = until.tv_sec * 1000000000 + until.tv_nsec;
    until.tv_sec += 5;
    return nanoseconds < 0;
}
