// expect: unsafe
// The second argument is not the first.
#include "model.h"

static int second(int n, ...) {
  __builtin_va_list read;
  __builtin_va_start(read, n);
  (void)__builtin_va_arg(read, int);
  return __builtin_va_arg(read, int);
}

int main() {
  check(second(2, 1, 2) == 1);
}
