// expect: safe
// `ffs` counts bits from 1, `abs` takes the sign away.
#include <assert.h>
#include <stdlib.h>
#include <strings.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(ffs(0) == 0 && ffs(1) == 1 && ffs(12) == 3 && ffs(-2147483647 - 1) == 32);
  if (x & 1) assert(ffs(x) == 1);
  if (x > -5 && x < 5) assert(abs(x) >= 0 && abs(x) < 5);
  return 0;
}
