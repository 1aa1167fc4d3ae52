// expect: safe
// `++` on an atomic variable is one step.
// expect -D WRONG: unsafe
// An atomic variable in `x = x + 1` is two steps.
#include "model.h"

_Atomic int x;
#ifndef WRONG
void *inc(void *a) { x++; x += 2; return 0; }
#else
void *inc(void *a) { x = x + 1; return 0; }
#endif
int main() {
  run_twice(inc)
#ifndef WRONG
  check(x == 6);
#else
  check(x == 2);
#endif
}
