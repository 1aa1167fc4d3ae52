// expect: safe
// The operands of an empty `asm` are evaluated, and its outputs are what goes in.
#include "model.h"

int main() {
  int x = 5, y = 6, z[2] = {1, 2};
  asm volatile("" ::: "memory");
  asm volatile("" : "+r"(x));
  asm volatile("" : "=r"(y) : "0"(x + 2) : "memory");
  __asm__("" : : "r"(x++), "m"(z[1]));
  check(x == 6 && y == 7);
}
