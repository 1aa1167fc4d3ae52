// expect: unsafe
// options: --property no-overflow
// What is printed is calculated.
#include <stdio.h>
int main(void) {
  int x = 2147483647;
  printf("%d\n", x + 1);
  return 0;
}
