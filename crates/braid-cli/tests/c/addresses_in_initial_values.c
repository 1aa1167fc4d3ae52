// expect: safe
// A variable whose address is in an initial value can be written through it.
#include "model.h"

int x = 1, *p = &x;
int main() {
  *p = 2;
  check(x == 2);
}
