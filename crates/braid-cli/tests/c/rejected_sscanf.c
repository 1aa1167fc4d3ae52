// expect: unknown (`sscanf` of a text of the program's own is not supported
// What is read from memory is not any input.
#include <assert.h>
#include <stdio.h>
int main(void) {
  char b[] = "12";
  int x = 0;
  sscanf(b, "%d", &x);
  assert(x == 12);
  return 0;
}
