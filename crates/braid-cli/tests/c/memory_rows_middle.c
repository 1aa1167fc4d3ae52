// expect: safe
// expect -D WRONG: unsafe
// Rows filled and moved, from the middle of one or from one that is not known.
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
static int m[3][4];
int main(void) {
  m[1][0] = 7;
  m[2][3] = 5;
  memset(&m[1][1], 1, 7 * sizeof(int));
  assert(m[1][0] == 7 && m[1][1] == 0x01010101 && m[2][3] == 0x01010101);
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 1) return 0;
  memset(m[i], 2, 2 * sizeof m[0]);
  assert(m[1][3] == 0x02020202);
#ifdef WRONG
  assert(m[2][0] == 0x02020202);
#endif
  m[0][3] = 3;
  m[1][0] = 4;
  memmove(m[1], m[0], 2 * sizeof m[0]);
  assert(m[1][3] == 3 && m[2][0] == 4);
  return 0;
}
