// expect: safe
// options: --property no-overflow
// Unsigned arithmetic wraps around.
#include <stdio.h>
int main(void) {
  unsigned x = 4294967295u;
  printf("%u\n", x + 1);
  return 0;
}
