// expect: safe
// Words between separators, and the functions that copy and find with a bound or without case.
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <strings.h>
int main(void) {
  char a[] = ",,one,;two,", b[] = "x::y", c[] = "p q", *rest;
  assert(strcmp(strtok_r(a, ",;", &rest), "one") == 0);
  assert(strcmp(strtok_r(0, ",;", &rest), "two") == 0);
  assert(strtok_r(0, ",;", &rest) == 0);
  assert(strcmp(strtok(c, " "), "p") == 0 && strcmp(strtok(0, " "), "q") == 0 && strtok(0, " ") == 0);
  rest = b;
  assert(strcmp(strsep(&rest, ":"), "x") == 0 && *strsep(&rest, ":") == 0);
  assert(strcmp(strsep(&rest, ":"), "y") == 0 && rest == 0 && strsep(&rest, ":") == 0);
  const char *s = "Hello";
  assert(strcasestr(s, "LL") == s + 2 && strcasestr(s, "x") == 0);
  assert(strncasecmp("abC", "ABd", 2) == 0 && strncasecmp("abC", "ABd", 3) < 0);
  assert(memrchr(s, 'l', 5) == s + 3 && memrchr(s, 'z', 5) == 0);
  char *copy = strndup(s, 3);
  assert(strcmp(copy, "Hel") == 0);
  return 0;
}
