// property: no-undefined
#include <string.h>
int main(void) {
  int row[4] = {1, 2, 3, 4};
#ifdef BUG
  memcpy(row + 1, row, 3 * sizeof(int));
#else
  memmove(row + 1, row, 3 * sizeof(int));
  memcpy(row, row + 2, 2 * sizeof(int));
#endif
  return row[0] - 2;
}
