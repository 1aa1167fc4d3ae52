// expect: safe
// An alias is another name for a function or a variable.
#include "model.h"

int f(void) { return 1; }
int g(void) __attribute__((alias("f")));
int x = 3;
extern int y __attribute__((weak, alias("x")));

int main() {
  y = 4;
  check(g() == 1 && x == 4);
}
