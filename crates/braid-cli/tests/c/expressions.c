// expect: safe
// Side effects in the order of C.
#include "model.h"

int calls;
int next(void) { return ++calls; }
int main() {
  int i = 0, a[4] = {1, 2};
  check(a[2] == 0 && a[i++] == 1 && i == 1);
  int x = (next(), next());
  check(x == 2);
  int y = next() ? next() : 10;
  check(y == 4);
  check((0 && next()) == 0 && (1 || next()) && calls == 4);
  int z = y ?: 7;
  check(z == 4);
  int w = ({ int t = 3; t * 2; });
  check(w == 6);
  x = y = 9;
  check(x == 9 && y-- == 9 && --y == 7);
}
