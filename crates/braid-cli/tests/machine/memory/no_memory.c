// property: valid-deref
// option: --malloc-may-fail
// says: no_memory.c:10: use of a null pointer
// The second of three allocations fails.
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 3; i++) {
    int *block = malloc(sizeof *block);
    if (i == 1 || block) *block = i;
    free(block);
  }
  return 0;
}
