// expect: unsafe
// options: --property no-overflow
// Signed arithmetic leaves its range.
#include "model.h"

int main() {
  int n = __VERIFIER_nondet_int();
  return n + 1;
}
