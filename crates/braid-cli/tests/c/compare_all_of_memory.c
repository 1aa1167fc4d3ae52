// Both arguments of memcmp have all characters; strncmp, strcmp and memchr look no further than they must.
// expect: safe
// expect -D FIRST: unsafe (valid-deref
// expect -D SECOND: unsafe (valid-deref
// options: --property all
#include <assert.h>
#include <string.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(2);
  p[0] = 'x';
  p[1] = 'y';
  assert(strncmp(p, "xab", 100) > 0 && memchr(p, 'y', 100) == p + 1);
  assert(memcmp(p, "xa", 2) > 0);
#ifdef FIRST
  assert(memcmp(p, "abcdefg", 4) > 0);
#endif
#ifdef SECOND
  assert(memcmp("abcdefg", p, 4) < 0);
#endif
  free(p);
  return 0;
}
