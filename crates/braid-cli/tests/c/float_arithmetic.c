// expect: safe
// Each operation is rounded to its type, literals to theirs.
#include <assert.h>

double tenth = 0.1;
float third = 1.0f / 3;

int main(void) {
  assert(tenth + 0.2 != 0.3);
  assert(tenth * 10 == 1);
  assert((float)tenth != tenth && (double)0.1f == 0.1f);
  assert(third * 3 == 1);
  float big = 16777216;
  big++;
  assert(big == 16777216.0f);
  double more = 16777216;
  assert(++more == 0x1.000001p24);
  long double fine = 1.0L + 0x1p-63L;
  assert(fine != 1 && (double)fine == 1);
  int n = 7;
  n *= 0.5;
  assert(n == 3 && n / 2 == 1 && n / 2.0 == 1.5);
  assert(1e-320 > 0 && 1e-320f == 0);
}
