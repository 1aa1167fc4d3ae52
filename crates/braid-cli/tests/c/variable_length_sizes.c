// expect: safe
// The size of an array of variable length is what it was when the array was declared.
#include "model.h"

static int size(int n) {
  int a[n + 1];
  n = 100;
  return sizeof a;
}

int main() {
  check(size(3) == 16);
  int i = 2, b[i++][3];
  check(i == 3 && sizeof b == 24 && sizeof(int[i]) == 12);
}
