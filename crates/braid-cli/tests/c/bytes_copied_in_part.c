// expect: safe
// A part of an object is copied; the rest stays.
#include "model.h"
#include <string.h>

struct message { short kind; short length; int contents[2]; };
int main() {
  struct message a = {1, 2, {0x01020304, 7}}, b = {0};
  memcpy(&b, &a, 6);
  check(b.kind == 1 && b.length == 2 && b.contents[0] == 0x0304 && b.contents[1] == 0);
  memmove((char *)&a + 1, &a, 3);
  check(a.kind == 0x0101 && a.length == 0x0200);
}
