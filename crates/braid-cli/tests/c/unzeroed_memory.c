// expect: unsafe
// Memory from `malloc` is not zero.
#include <assert.h>
#include <stdlib.h>

int main(int arguments, char **texts) {
  int *zeros = calloc(arguments + 1, sizeof(int));
  int *other = malloc((arguments + 1) * sizeof(int));
  assert(other[0] == 0);
  return zeros[0];
}
