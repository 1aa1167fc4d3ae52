// Strings and memory as the library compares, finds and copies them.
// expect: safe
#include <assert.h>
#include <string.h>

int main(void) {
  char a[16];
  assert(strcpy(a, "foo") == a && strlen(a) == 3);
  strcat(a, "bar");
  assert(strcmp(a, "foobar") == 0 && strcmp("ab", "a") > 0 && strcmp("\xff", "a") > 0 && strncmp("abc", "abd", 2) == 0);
  assert(strchr(a, 'b') == a + 3 && strchr(a, 'z') == 0 && strchr(a, 0) == a + 6 && strrchr(a, 'o') == a + 2);
  assert(strstr(a, "ob") == a + 2);
  char b[5] = "zzzz";
  strncpy(b, "abcdefgh", 2);
  assert(b[1] == 'b' && b[2] == 'z');
  strncpy(b, "a", 3);
  assert(b[0] == 'a' && b[1] == 0 && b[2] == 0 && b[3] == 'z');
  char c[8] = "abcdefg";
  memmove(c + 1, c, 4);
  assert(c[1] == 'a' && c[4] == 'd' && c[5] == 'f' && memcmp(c, "aab", 3) == 0 && memchr(c, 'd', 8) == c + 4);
}
