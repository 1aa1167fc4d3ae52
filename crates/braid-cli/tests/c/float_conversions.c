// expect: safe
// Conversions from and to integers, of values nobody knows.
#include <assert.h>
extern short __VERIFIER_nondet_short(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  short n = __VERIFIER_nondet_short();
  float exact = n;
  assert((short)exact == n);
  unsigned char c = __VERIFIER_nondet_uchar();
  float f = c;
  assert(f >= 0 && f <= 255 && (unsigned char)f == c);
  _Bool b = 0.25;
  assert(b);
  assert((int)-0.75 == 0 && (unsigned)3e9 == 3000000000u);
}
