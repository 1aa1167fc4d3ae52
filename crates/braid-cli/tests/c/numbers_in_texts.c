// expect: safe
// strtol and its like read as much as is a number, in any base, and stop where their type ends.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
int main(void) {
  char *end;
  const char *text = "  -42abc";
  assert(strtol(text, &end, 10) == -42 && end == text + 5);
  assert(strtol("+7", 0, 10) == 7 && strtol("0x1F", 0, 16) == 31 && strtol("1f", 0, 16) == 31);
  assert(strtol("0x1f", 0, 0) == 31 && strtol("017", 0, 0) == 15 && strtol("17", 0, 0) == 17 && strtol("z", 0, 36) == 35);
  text = "0xg";
  assert(strtol(text, &end, 16) == 0 && end == text + 1);
  text = " none";
  assert(strtol(text, &end, 10) == 0 && end == text);
  assert(errno == 0);
  assert(strtoll("9223372036854775807", 0, 10) == LLONG_MAX && strtoll("-9223372036854775808", 0, 10) == LLONG_MIN && errno == 0);
  assert(strtoll("9223372036854775808", 0, 10) == LLONG_MAX && errno == ERANGE);
  errno = 0;
  assert(strtoll("-99999999999999999999", &end, 10) == LLONG_MIN && errno == ERANGE && *end == 0);
  errno = 0;
  assert(strtoull("18446744073709551615", 0, 10) == ULLONG_MAX && errno == 0);
  assert(strtoull("-1", 0, 10) == ULLONG_MAX && errno == 0);
  assert(strtoull("18446744073709551616", 0, 10) == ULLONG_MAX && errno == ERANGE);
  assert(strtoul("12", 0, 8) == 10);
  return 0;
}
