// property: valid-deref
#include <string.h>
int main(void) {
  int a[4] = { 1, 2, 3, 4 }, b[3];
#ifdef BUG
  memcpy(b, a, sizeof a);
#else
  memcpy(b, a, sizeof b);
#endif
  return b[0];
}
