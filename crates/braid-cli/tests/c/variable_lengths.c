// expect: safe
// Lengths of arrays are evaluated, once for each declaration; `sizeof` calculates with them.
#include <assert.h>

int main(int arguments, char **texts) {
  int calls = 0;
  int cells[++calls];
  cells[0] = 7;
  int unused[2][++calls];
  assert(calls == 2 && cells[0] == 7);
  calls = 5;
  assert(sizeof(int[calls][2]) == 10 * sizeof(int));
  return 0;
}
