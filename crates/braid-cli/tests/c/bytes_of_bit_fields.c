// expect: safe
// Bit-fields lie one after the other from the lowest bit on, and a write to one leaves its neighbours.
#include "model.h"
#include <string.h>

struct flags { unsigned low : 3; int middle : 7; unsigned high : 6; };
int main() {
  struct flags f;
  unsigned short bits = 0;
  memset(&f, 0, sizeof f);
  f.low = 5;
  f.middle = -2;
  f.high = 33;
  memcpy(&bits, &f, sizeof bits);
  check(bits == (5 | 126 << 3 | 33 << 10));
  ((unsigned char *)&f)[1] = 0;
  check(f.low == 5 && f.middle == 30 && f.high == 0);
}
