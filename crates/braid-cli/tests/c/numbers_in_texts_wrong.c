// expect: unsafe
// A text without a number is 0, too: only where the text goes on tells.
// options: --args "prog x"
#include <assert.h>
#include <stdlib.h>
int main(int argc, char *argv[]) {
  char *end;
  long n = strtol(argv[1], &end, 10);
  assert(n != 0 || end != argv[1]);
  return 0;
}
