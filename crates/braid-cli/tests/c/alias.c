// expect: safe
// An alias is another name for a function or a variable.
// expect -D WRONG: unsafe
// Writing the one writes the other.
#include "model.h"

int f(void) { return 1; }
int g(void) __attribute__((alias("f")));
int x = 3;
extern int y __attribute__((weak, alias("x")));

int main() {
  y = 4;
#ifndef WRONG
  check(g() == 1 && x == 4);
#else
  check(g() == 1 && x == 3);
#endif
}
