// expect: safe
// The bits of a float, through a union, a pointer and a copy.
#include <assert.h>
#include <string.h>

union both { float f; unsigned u; } x;

static unsigned bits(float f) {
  unsigned u;
  memcpy(&u, &f, sizeof u);
  return u;
}

int main(void) {
  x.f = 1.5f;
  assert(x.u == 0x3fc00000);
  x.u |= 0x80000000u;
  assert(x.f == -1.5f);
  assert(bits(-0.0f) == 0x80000000u && bits(1e-45f) == 1);
  long long n = 0;
  *(double *)&n = 1.0;
  assert(n == 0x3ff0000000000000);
}
