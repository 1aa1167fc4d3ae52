// expect: unsafe
// An unsigned variable wraps around.
#include "model.h"

int main() {
  unsigned u = __VERIFIER_nondet_uint();
  check(u + 1 > u);
}
