// expect: safe
// Floating-point numbers in texts, each rounded once.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
  char *end;
  assert(strtod(" -12.5e-1x", &end) == -1.25 && *end == 'x');
  assert(strtod("abc", &end) == 0 && *end == 'a');
  assert(strtod(".5e", &end) == 0.5 && *end == 'e');
  assert(atof("0.1") == 0.1 && atof("1e22") == 1e22 && atof("+3.") == 3);
  assert(atof("123456.789") == 123456.789);
  assert(strtof("0.1", 0) == 0.1f && strtod("name", &end) == 0 && *end == 'n');
  // There is no base 99.
  assert(strtol("1", 0, 99) == 0 && errno == EINVAL);
  assert(atol("-2147483648") == -2147483647 - 1);
}
