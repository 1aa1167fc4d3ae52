// expect: safe
// Lists of arguments that are handed to other functions, to those of the program and to the family of `vprintf`.
// expect -D WRONG: unsafe
// A copy of a list begins where the list was.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[32];
static int vwrite(const char *format, va_list list) { return vsnprintf(text, sizeof text, format, list); }
static int written(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vwrite(format, list);
  va_end(list);
  return n;
}
static int vsum(int n, va_list list) {
  int sum = 0;
  while (n--) sum += va_arg(list, int);
  return sum;
}
static int both(int n, ...) {
  va_list list, copy;
  va_start(list, n);
  va_copy(copy, list);
  int first = vsum(n, list), second = vsum(n, copy);
  va_end(list);
  va_end(copy);
  return 100 * first + second;
}
static int shown(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vprintf(format, list);
  va_end(list);
  return n;
}
static char *made(const char *format, ...) {
  char *to;
  va_list list;
  va_start(list, format);
  int n = vasprintf(&to, format, list);
  va_end(list);
  return n < 0 ? 0 : to;
}
int main(void) {
  assert(written("x=%d", 42) == 4 && strcmp(text, "x=42") == 0);
  assert(written("%s:%c", "ab", 'z') == 4 && strcmp(text, "ab:z") == 0);
#ifndef WRONG
  assert(both(3, 1, 2, 3) == 606 && both(1, 9) == 909);
#else
  assert(both(3, 1, 2, 3) == 600 && both(1, 9) == 909);
#endif
  assert(shown("ab%dcd", 7) == 5);
  char *s;
  assert(asprintf(&s, "%d/%s", 12, "q") == 4 && strcmp(s, "12/q") == 0);
  assert(strcmp(made("<%05d>", 42), "<00042>") == 0);
  return 0;
}
