// expect: unsafe
// What is not copied is not changed.
#include "model.h"
#include <string.h>

struct message { short kind; short length; int contents[2]; };
int main() {
  struct message a = {1, 2, {3, 4}}, b = {0};
  memcpy(&b, &a, 9);
  check(b.contents[1] == 0);
}
