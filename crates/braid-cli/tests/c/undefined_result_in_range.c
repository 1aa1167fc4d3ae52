// expect: safe
// The value of a function that ended without one is a value of its type.
#include <assert.h>

static unsigned char none(void) {}

int main(void) {
  int n = none();
  assert(n >= 0 && n < 256);
}
