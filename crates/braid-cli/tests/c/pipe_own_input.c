// expect: unknown
// What comes out of a pipe is what the program wrote into it: that is not known exactly, so that the numbers differ is not believed.
// expect -D PROVEN: safe
// It is known to be anything.
// expect -D BEFORE: unsafe
// What is wrong before is found.
#include <assert.h>
#include <unistd.h>
int main(void) {
  int ends[2], in = 5, out = 0;
  if (pipe(ends) != 0) return 1;
#ifdef BEFORE
  assert(ends[0] == 3);
#endif
  if (write(ends[1], &in, sizeof in) != sizeof in) return 1;
  if (read(ends[0], &out, sizeof out) != sizeof out) return 1;
#ifdef PROVEN
  assert(in == 5);
#else
  assert(in == out);
#endif
  return 0;
}
