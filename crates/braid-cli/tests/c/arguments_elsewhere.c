// expect: safe
// Who gets a list reads the arguments of the function that began it.
#include "model.h"

static int next(__builtin_va_list read) { return __builtin_va_arg(read, int); }
static int first(int n, ...) {
  __builtin_va_list read;
  __builtin_va_start(read, n);
  return next(read);
}

int main() {
  check(first(1, 1) == 1);
}
