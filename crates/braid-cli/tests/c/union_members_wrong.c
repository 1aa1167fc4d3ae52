// expect: unsafe
// A write to one member changes another one.
#include "model.h"

union u { struct { int a; char b; } s; struct { char a; int b; } t; } u;
int main() {
  u.s.b = 1;
  u.t.b = 0;
  check(u.s.b == 1);
}
