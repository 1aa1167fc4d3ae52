// expect: unsafe
// A function that runs at the end is run by `exit` as well.
#include <assert.h>
#include <stdlib.h>

static int done;

static void check(void) { assert(done); }

int main(int count, char **arguments) {
  atexit(check);
  if (count > 1) exit(2);
  done = 1;
}
