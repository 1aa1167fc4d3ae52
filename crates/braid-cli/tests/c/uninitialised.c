// expect: unsafe
// A variable without an initial value holds anything of its type.
#include "model.h"

int main() {
  int n;
  check(n != 2147483647);
}
