// expect: unsafe
// The length of an array is the one that counted where it was declared.
#include <assert.h>

int at(int m, int a[][m], int row) { return a[row][0]; }

int main(void) {
  int m = 3;
  int own[2][m];
  own[0][2] = 1;
  own[1][0] = 2;
  m = 2;
  assert(at(m, own, 1) == 2);
}
