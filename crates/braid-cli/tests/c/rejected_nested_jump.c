// expect: unknown (a jump out of a function inside of a function is not supported
#include <assert.h>
int main(void) {
  __label__ out;
  int leave(int now) {
    if (now) goto out;
    return 1;
  }
  assert(leave(0) == 1);
  leave(1);
  assert(0);
out:
  return 0;
}
