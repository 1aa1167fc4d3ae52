// expect: unsafe
// A byte of a bit-field is changed, and so is the field.
#include "model.h"

struct flags { unsigned low : 3; int middle : 7; unsigned high : 6; };
int main() {
  struct flags f = {1, 2, 3};
  ((unsigned char *)&f)[1] ^= 1;
  check(f.middle == 2);
}
