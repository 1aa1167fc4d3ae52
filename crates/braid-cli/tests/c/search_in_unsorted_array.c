// expect: unsafe
#include <assert.h>
#include <stdlib.h>
int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int a[] = {5, 1, 3, 7}, key = 5;
  assert(bsearch(&key, a, 4, sizeof(int), compare) != 0);
  return 0;
}
