// expect: unsafe
// An operand of `asm` is evaluated.
#include "model.h"

int main() {
  int x = 5;
  asm volatile("" : : "r"(x++));
  check(x == 5);
}
