// expect: unsafe
// Writing the one writes the other.
#include "model.h"

int f(void) { return 1; }
int g(void) __attribute__((alias("f")));
int x = 3;
extern int y __attribute__((weak, alias("x")));

int main() {
  y = 4;
  check(g() == 1 && x == 3);
}
