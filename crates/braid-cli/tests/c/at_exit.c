// expect: safe
// What runs when the program ends: the last function first, also those that are added then, and destructors behind all others.
#include <assert.h>
#include <stdlib.h>

static int order;

static void second(void) { order = order * 10 + 2; }
static void third(void) {
  order = order * 10 + 3;
  atexit(second);
}
static void first(void) { assert(order == 322); }
__attribute__((constructor)) static void start(void) { assert(atexit(first) == 0); }
__attribute__((destructor)) static void last(void) { assert(order == 322); }

int main(int count, char **arguments) {
  atexit(second);
  atexit(third);
  if (count > 2) _Exit(1);
  if (count > 1) exit(2);
}
