// expect: safe
// What `snprintf` and `sprintf` write, and how much it would have been.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[32];
  int n = 42;
  assert(snprintf(text, sizeof text, "%d-%s|%5.3d|%-4u|%#x%c", n, "ab", 7, 3u, 255, '!') == 22);
  assert(!strcmp(text, "42-ab|  007|3   |0xff!"));
  assert(sprintf(text, "%05d%%", -3) == 6 && !strcmp(text, "-0003%"));
  assert(snprintf(text, 4, "%s", "abcdef") == 6 && !strcmp(text, "abc"));
  return 0;
}
