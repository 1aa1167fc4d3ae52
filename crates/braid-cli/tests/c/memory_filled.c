// expect: safe
// Memory is filled with a byte that is known when the program runs, and as much of it as the program calculates.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int arguments, char **texts) {
  unsigned word;
  int byte = arguments & 3;
  memset(&word, byte, sizeof word);
  assert(word == byte * 0x01010101u);
  short *cells = malloc(2 * sizeof(short));
  int count = arguments > 1 ? 2 : 1;
  cells[1] = 9;
  memset(cells, 0, count * sizeof(short));
  assert(cells[0] == 0);
  if (count == 1) assert(cells[1] == 9);
  return 0;
}
