// expect: safe
#include <assert.h>
#include <stdlib.h>
int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int a[] = {1, 3, 5, 7}, key = 5, none = 4;
  int *found = bsearch(&key, a, 4, sizeof(int), compare);
  assert(found == a + 2);
  assert(bsearch(&none, a, 4, sizeof(int), compare) == 0);
  return 0;
}
