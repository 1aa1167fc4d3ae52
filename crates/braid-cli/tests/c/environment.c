// expect: safe
// A variable of the environment keeps its value.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  char *first = getenv("HOME"), *second = getenv("HOME");
  assert((first == 0) == (second == 0));
  if (first) assert(first[0] == second[0]);
  return 0;
}
