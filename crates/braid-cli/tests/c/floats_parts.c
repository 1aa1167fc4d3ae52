// Parts of numbers and powers of two are exact.
// expect: safe
// expect -D WRONG: unsafe
// options: --property all
#include <assert.h>
#include <math.h>
int main(void) {
  int power;
  double whole;
  assert(frexp(8.0, &power) == 0.5 && power == 4);
  assert(frexp(-0.75, &power) == -0.75 && power == 0);
  assert(frexp(0.1, &power) * 2 == 1.6 && power == -3);
  assert(frexp(0.0, &power) == 0 && power == 0);
  assert(modf(-3.25, &whole) == -0.25 && whole == -3);
  assert(modf(INFINITY, &whole) == 0 && whole == INFINITY);
  assert(ldexp(1.5, 3) == 12 && ldexp(3, -2) == 0.75 && scalbn(1, 2000) == INFINITY);
  assert(ldexpf(1, 10) == 1024 && modff(2.5f, &(float){0}) == 0.5f);
#ifdef WRONG
  assert(ldexp(1, 3) == 9);
#endif
  return 0;
}
