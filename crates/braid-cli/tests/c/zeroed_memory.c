// expect: safe
// Memory from `calloc` is zero, however much it is.
#include <assert.h>
#include <stdlib.h>

int main(int arguments, char **texts) {
  int *first = calloc(arguments + 1, sizeof(int));
  assert(first[arguments] == 0);
  first[0] = 7;
  for (int round = 0; round < arguments; round++) {
    int *next = calloc(arguments + 1, sizeof(int));
    assert(next[0] == 0);
    next[0] = 1;
  }
  return 0;
}
