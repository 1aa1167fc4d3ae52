// expect: safe
// A bit-field that `int` can hold is calculated with as an `int`, whatever its declared type.
#include "model.h"

struct bits {
  unsigned three : 3;
  unsigned all : 32;
  int plain : 4;
  unsigned long small : 20;
  _Bool flag : 1;
} b;

int main() {
  b.three = 2;
  check(b.three - 3 < 0);
  check(-b.three == -2 && ~b.three == -3);
  check(b.all - 1 > 0);
  b.plain = 8;
  check(b.plain == -8);
  check(b.small - 1 < 0);
  check((b.three ? b.three : 1u) - 3 > 0);
  check((b.flag ? b.three : b.plain) == -8);
  b.flag = 2;
  check(b.flag + b.flag == 2 && -b.flag < 0);
  check((b.three = 7) - 8 < 0 && b.three++ - 8 < 0);
}
