// expect: safe
// Memory from `calloc` is zero, however much it is.
#include <assert.h>
#include <stdlib.h>

int *cells(int count) { return calloc(count, sizeof(int)); }

int main(int arguments, char **texts) {
  int *first = cells(arguments + 2);
  first[0] = 7;
  int *second = cells(arguments + 2);
  assert(first[1] == 0);
  assert(second[0] == 0);
  return 0;
}
