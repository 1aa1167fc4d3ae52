// expect: unsafe
// All bytes are filled, not only the first one.
#include <assert.h>
#include <string.h>

int main(int arguments, char **texts) {
  unsigned word = 0;
  memset(&word, arguments, sizeof word);
  assert(word < 256);
  return 0;
}
