// How far apart two pointers are is defined only within one object.
// expect: safe
// expect -D ARRAYS: unsafe (no-undefined)
// expect -D BLOCKS: unsafe (no-undefined)
// options: --property all
#include <assert.h>
#include <stdlib.h>
struct pair {
  int a[2], b[2];
};
static int length(const int *begin, const int *end) { return (int)(end - begin); }
int main(void) {
  int one[4] = {0}, two[4] = {0};
  struct pair pair = {{1, 2}, {3, 4}};
  assert(length(one, one + 4) == 4 && length(&two[1], &two[1]) == 0);
  assert((char *)pair.b - (char *)&pair == 8);
#ifdef ARRAYS
  int far = (int)(&one[0] - &two[0]);
  if (far) return 1;
#endif
  int *first = malloc(4), *second = malloc(4);
#ifdef BLOCKS
  if (first - second > 0) *first = 1;
#endif
  free(first);
  free(second);
  return 0;
}
