// expect: safe
// Members of different layout overlap.
#include "model.h"

union u { struct { int a; char b; } s; struct { char a; int b; } t; } u;
int main() {
  u.s.a = 1;
  check(u.t.a == 1);
}
