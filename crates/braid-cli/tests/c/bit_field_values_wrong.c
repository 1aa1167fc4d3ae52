// expect: unsafe
// The value of the assignment is not the assigned one.
#include "model.h"

struct bits { unsigned two : 2; } b;

int main() {
  int x = __VERIFIER_nondet_int();
  if ((b.two = x) != x)
    check(0);
}
