// expect: unsafe
// The highest byte of an integer is its last.
#include "model.h"

int main() {
  int i = 1;
  char *c = (char *)&i;
  c[3] = 2;
  check(i == 2);
}
