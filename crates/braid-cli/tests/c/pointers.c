// expect: safe
// A pointer to one of several variables.
#include "model.h"

int a = 1, b = 2, *p;
void set(int *q, int v) { *q = v; }
int main() {
  p = __VERIFIER_nondet_int() ? &a : &b;
  *p = 5;
  check(a + b == 7 || a + b == 6);
  set(&a, 10);
  set(&b, 20);
  check(a == 10 && b == 20 && *p >= 10);
  int l[3] = {7, 8, 9}, *e = l + 3, sum = 0;
  for (int *i = l; i != e; i++) sum += *i;
  check(sum == 24 && e - l == 3 && *(l + 1) == 8 && 2[l] == 9);
  int **pp = &p;
  *pp = &l[2];
  check(*p == 9);
}
