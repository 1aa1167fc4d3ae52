// property: valid-deref
#include <stdio.h>
int main(void) {
  int numbers[3] = {1, 2, 3};
#ifdef BUG
  fwrite(numbers, sizeof(int), 4, stdout);
#else
  fwrite(numbers, sizeof(int), 3, stdout);
#endif
  return 0;
}
