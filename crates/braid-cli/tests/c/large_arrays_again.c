// expect: safe
// Large arrays that are declared in each call, and accessed by functions that get others, too.
#include <assert.h>
#include <string.h>

static char whole[100];
static int length(const char *p) {
  int n = 0;
  while (p[n]) n++;
  return n;
}
static int longer(const char *text) {
  char own[256];
  strcpy(own, text);
  strcat(own, "!");
  return length(own);
}
static int deep(int n) {
  char own[100];
  own[n] = n;
  int rest = n ? deep(n - 1) : 0;
  return rest + own[n] + length(whole);
}
int main(void) {
  strcpy(whole, "ab");
  assert(longer("ab") == 3 && longer("abc") == 4);
  assert(deep(2) == 9);
  for (int i = 0; i < 2; i++) {
    int list[80], *p = list;
    list[79] = i;
    assert(p[79] == i);
  }
  return 0;
}
