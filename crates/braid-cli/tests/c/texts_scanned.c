// expect: safe
// What sscanf makes of texts of the program.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char word[8] = "", rest[8] = "", c = 0;
  int a = 1, b = 2, at = 0;
  unsigned char small = 0;
  double d = 0;
  assert(sscanf(" 12,-0x1f", "%d,%i", &a, &b) == 2 && a == 12 && b == -31);
  assert(sscanf("k=v w", "%7[a-z]=%s%n", word, rest, &at) == 2 && strcmp(word, "k") == 0 && strcmp(rest, "v") == 0 && at == 3);
  assert(sscanf("1234", "%2d%*1d%hhu%c", &a, &small, &c) == 2 && a == 12 && small == 4 && c == 0);
  assert(sscanf("2.5e1 x", "%lf %c", &d, &c) == 2 && d == 25 && c == 'x');
  assert(sscanf("x", "%d", &a) == 0 && sscanf("  ", "%d", &a) == -1 && sscanf("7 x", "%d%d", &a, &b) == 1 && a == 7);
  assert(sscanf("5%a]", "%d%%%[]a]", &a, word) == 2 && a == 5 && strcmp(word, "a]") == 0);
}
