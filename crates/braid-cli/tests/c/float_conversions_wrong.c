// expect: unsafe
// A float does not hold all integers.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 100000000) return 0;
  float f = n;
  assert((int)f == n);
}
