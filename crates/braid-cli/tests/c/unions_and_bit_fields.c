// expect: safe
// Members that share their place, and narrow ones.
#include "model.h"

union u { int i; unsigned j; } u;
struct b { unsigned a : 3; int s : 2; unsigned c : 5; } b;
int main() {
  u.i = -1;
  check(u.j == 4294967295u);
  b.a = 9;
  b.s = 3;
  b.c = 31;
  check(b.a == 1 && b.s == -1 && b.c == 31);
  b.c++;
  check(b.c == 0 && b.a == 1);
}
