// expect: unsafe
// The time is written to where the argument points.
#include <assert.h>
#include <time.h>
int main(void) {
  struct timespec t = {0, 0};
  clock_gettime(CLOCK_REALTIME, &t);
  assert(t.tv_nsec == 0);
  return 0;
}
