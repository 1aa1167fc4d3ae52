// Arguments whose characters the program looks at, too: numbers and characters belong together.
// expect: safe
// expect -D WRONG: unsafe
#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  if (argc < 2) return 1;
  int n = atoi(argv[1]);
  if (argv[1][0] == '7' && argv[1][1] == 0) assert(n == 7);
#ifdef WRONG
  if (argv[1][0] == '7') assert(n == 7);
#endif
  return 0;
}
