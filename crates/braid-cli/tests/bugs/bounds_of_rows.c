// property: valid-deref
// What is filled may begin in the middle of a row, and go on in the next ones, but not past the last.
#include <string.h>
static int m[3][4];
int main(void) {
#ifdef BUG
  memset(&m[1][1], 1, 8 * sizeof(int));
#else
  memset(&m[1][1], 1, 7 * sizeof(int));
#endif
  return 0;
}
