// expect: safe
#include <assert.h>
#include <time.h>
int main(void) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert(end.tv_sec > start.tv_sec || (end.tv_sec == start.tv_sec && end.tv_nsec >= start.tv_nsec));
    return 0;
}
