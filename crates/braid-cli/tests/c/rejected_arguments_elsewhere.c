// expect: unknown (reading variable arguments (`va_arg`) outside of a function that is called by its name with them
// Whose arguments they are is not known here.
#include "model.h"

static int next(__builtin_va_list read) { return __builtin_va_arg(read, int); }
static int (*reader)(__builtin_va_list) = next;
static int first(int n, ...) {
  __builtin_va_list read;
  __builtin_va_start(read, n);
  return reader(read);
}

int main() {
  check(first(1, 1) == 1);
}
