// expect: safe
// An initial value of one member is seen through the others.
#include <assert.h>
union { int i; unsigned char c[4]; } u = {0x01020304};
int main(void) {
  assert(u.c[0] == 4 && u.c[3] == 1);
  union { int i; unsigned char c[4]; } v = {0x01020304};
  assert(v.c[0] == 4 && v.c[3] == 1);
  union { double d; unsigned long l; } f = {1.0};
  assert(f.l == 0x3ff0000000000000);
  static union { double d; unsigned char c[8]; } g = {1.0};
  assert(g.c[7] == 0x3f);
  union { float d; struct { short a, b; } s; } h = {.s = {0, 0x3f80}};
  assert(h.d == 1.0f);
  return 0;
}
