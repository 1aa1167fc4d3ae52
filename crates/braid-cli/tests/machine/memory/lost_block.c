// property: valid-memtrack
// says: lost_block.c:8 is not freed at the end, and nothing leads to it
#include <stdlib.h>

static int *kept;

int main(void) {
  kept = malloc(sizeof *kept);
  kept = NULL;
  return 0;
}
