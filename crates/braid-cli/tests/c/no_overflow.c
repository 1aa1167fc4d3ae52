// expect: safe
// options: --property no-overflow
// Signed arithmetic stays in its range, and assertions do not count.
#include "model.h"

int main() {
  int n = __VERIFIER_nondet_int();
  if (n < 1000 && n > -1000) n = n / 2 - n;
  unsigned u = __VERIFIER_nondet_uint();
  u = u + u;
  reach_error();
}
