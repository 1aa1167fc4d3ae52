// expect: safe
// From a member on, members after it are filled and copied, too.
#include "model.h"
#include <string.h>

struct pair { int a, b; };
int main() {
  struct pair p = {1, 2}, q = {3, 4};
  memset(&p.a, 0, sizeof p);
  check(p.a == 0 && p.b == 0);
  memcpy(&p.a, &q.a, sizeof p);
  check(p.a == 3 && p.b == 4);
}
