// A function that is called at the end frees the block.
#include <stdlib.h>

static int *block;

static void release(void) { free(block); }

int main(void) {
  atexit(release);
  block = malloc(sizeof *block);
  *block = 12 / 4 << 2;
  exit(0);
}
