// expect: safe
// Functions with `...` read the arguments of each call.
#include "model.h"

typedef __builtin_va_list list;
static int sum(int n, ...) {
  list read, again;
  int s = 0;
  __builtin_va_start(read, n);
  __builtin_va_copy(again, read);
  for (int i = 0; i < n; i++)
    s += __builtin_va_arg(read, int);
  __builtin_va_end(read);
  for (int i = 0; i < n; i++)
    s += 10 * __builtin_va_arg(again, int);
  return s;
}
static long long mixed(int n, ...) {
  list read;
  __builtin_va_start(read, n);
  long long r = __builtin_va_arg(read, long long);
  if (n > 1)
    r += *__builtin_va_arg(read, int *);
  if (n > 2)
    (void)__builtin_va_arg(read, double);
  if (n > 3)
    r += __builtin_va_arg(read, unsigned);
  return r;
}

int main() {
  int x = 7;
  check(sum(3, 1, 2, 3) == 66 && sum(0) == 0 && sum(2, (char)4, 'a') == 101 * 11);
  check(mixed(4, 1ll, &x, 1.0, 5) == 13 && mixed(2, 2ll, &x) == 9);
  // An argument that is not there is undefined, and so is one of another type.
  if (__VERIFIER_nondet_int())
    check(sum(2, 1) == 0);
  if (__VERIFIER_nondet_int())
    check(sum(1, 1ll) == 0);
}
