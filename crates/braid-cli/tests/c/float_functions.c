// expect: safe
// Functions of the library that are exact, or rounded once.
#include <assert.h>
#include <math.h>

int main(void) {
  double x = -2.5;
  assert(fabs(x) == 2.5 && fabsf(-1.25f) == 1.25f);
  assert(floor(x) == -3 && ceil(x) == -2 && trunc(x) == -2 && round(x) == -3 && rint(x) == -2);
  assert(lround(2.5) == 3 && lrint(2.5) == 2 && llround(-0.5) == -1);
  assert(sqrt(2.25) == 1.5 && sqrt(2) * sqrt(2) != 2 && isnan(sqrt(x)));
  assert(fmod(7.5, 2) == 1.5 && fmod(-7.5, 2) == -1.5 && remainder(7.5, 2) == -0.5);
  int n = 9;
  unsigned char c = 4;
  assert(sqrt(n) == 3 && sqrtf(c) == 2 && fma(n, c, 0.5f) == 36.5 && fabs(-n) == 9);
  assert(fma(x, 2, 5) == 0 && __builtin_sqrtf(2.25f) == 1.5f && sqrtl(2.25L) == 1.5L);
}
