// expect: safe
// These ways to end the program run nothing.
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static void never(void) { assert(0); }

int main(int count, char **arguments) {
  atexit(never);
  if (count == 1) _Exit(0);
  if (count == 2) _exit(0);
  if (count == 3) quick_exit(0);
  abort();
}
