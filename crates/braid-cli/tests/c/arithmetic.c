// expect: safe
// Integers as C has them.
#include "model.h"

int main() {
  unsigned u = 0;
  u--;
  check(u == 4294967295u);
  u += 2;
  check(u == 1);
  check(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1);
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > -100 && n < 100);
  check((n / 7) * 7 + n % 7 == n);
  check(n >> 1 <= n || n < 0);
  unsigned char c = 200;
  c += 100;
  check(c == 44);
  signed char s = (signed char)200;
  check(s == -56);
  short h = (short)(n + 65536 * 3);
  check(h == n);
  check(n >= 0 || (unsigned)n > 2147483647u);
  check((n & 1) == (n % 2 != 0));
  check((n & 15) < 16 && (n | 0) == n);
  check(~n == -n - 1);
  check((1u << 31) * 2 == 0);
  long long l = 3000000000LL;
  check((int)(l - 3000000000LL + n) == n);
  check((_Bool)n == (n != 0));
}
