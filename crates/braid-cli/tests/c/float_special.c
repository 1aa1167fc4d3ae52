// expect: safe
// Division by zero is defined; what is not a number is unequal to itself; zeros are equal.
#include <math.h>
#include <assert.h>

double zero, one = 1;

int main(void) {
  double infinite = one / zero, none = zero / zero;
  assert(infinite > 1e308 && -infinite < -1e308 && infinite == INFINITY);
  assert(none != none && !(none < one) && !(none >= one) && isnan(none) && isunordered(none, one));
  assert(-zero == zero && 1 / -zero == -infinite);
  assert(signbit(-zero) && !signbit(zero) && copysign(3, -zero) == -3);
  assert(isinf(infinite) && !isfinite(infinite) && isfinite(one) && isnormal(one) && !isnormal(1e-310));
  assert(fpclassify(zero) == FP_ZERO && fpclassify(none) == FP_NAN && fpclassify(1e-310) == FP_SUBNORMAL);
  assert(fmax(none, 2) == 2 && fmin(3, none) == 3);
  if (none) return 0;
  assert(0);
}
