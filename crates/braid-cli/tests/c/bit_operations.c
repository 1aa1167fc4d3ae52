// expect: safe
// Bit operations on unknown values need bit-vectors.
#include "model.h"

int main() {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  check((a & b) + (a | b) == a + b);
  check((a ^ b ^ b) == a);
  unsigned k = b % 32;
  check(((a << k) >> k) <= a);
  int s = (int)a;
  check((s >> 31) == (s < 0 ? -1 : 0));
}
