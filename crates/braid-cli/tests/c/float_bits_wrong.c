// expect: unsafe
// Equal floats with different bits.
#include <assert.h>
union both { double d; unsigned long long u; };
extern double __VERIFIER_nondet_double(void);

int main(void) {
  union both a, b;
  a.d = __VERIFIER_nondet_double();
  b.d = __VERIFIER_nondet_double();
  if (a.d == b.d) assert(a.u == b.u);
}
