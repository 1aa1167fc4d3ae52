// expect: unsafe
// The time has the width of `long`.
#include <assert.h>
#include <time.h>
int main(void) {
  assert(time(0) < 4000000000L);
  return 0;
}
