// expect: unsafe
// What the array held in the last call is gone.
#include <assert.h>
#include <string.h>

static char whole[100];
static int first(const char *p) { return p[0]; }
static int call(int n) {
  char own[100];
  if (n) own[0] = n;
  return first(own) + first(whole);
}
int main(void) {
  call(1);
  assert(call(0) == 1);
  return 0;
}
