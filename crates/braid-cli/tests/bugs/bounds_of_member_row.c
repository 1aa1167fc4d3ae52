// property: valid-deref
// The array in a struct is no row of a larger one: after it comes another member.
#include <string.h>
static struct { int a[4]; int b; } s[3];
int main(void) {
#ifdef BUG
  memset(s[1].a, 1, 5 * sizeof(int));
#else
  memset(s[1].a, 1, 4 * sizeof(int));
#endif
  return 0;
}
