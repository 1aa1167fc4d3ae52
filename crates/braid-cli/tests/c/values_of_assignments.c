// expect: safe
// What an assignment gives is what it stored, also when it was calculated from the old value.
#include "model.h"

int g, h, counter;
_Atomic int a;
void *run(void *x) { __VERIFIER_atomic_begin(); h = ++counter; check(h == counter); __VERIFIER_atomic_end(); return 0; }
int main() {
  int x = 1, y = 2;
  x = y = y + 1;
  check(x == 3 && y == 3);
  x = ++y;
  check(x == 4 && y == 4);
  x = (y += y);
  check(x == 8 && y == 8);
  g = h = h + 1;
  check(g == 1 && h == 1);
  y = ++a;
  check(y == 1 && a++ == 1 && a == 2);
  unsigned char c;
  x = c = 300;
  check(x == 44);
  run_twice(run)
  check(h == 2);
}
