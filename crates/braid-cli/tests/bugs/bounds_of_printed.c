// property: valid-deref
#include <stdio.h>
int main(void) {
  char mark[2] = {'o', 'k'};
#ifdef BUG
  puts(mark);
#else
  printf("%.2s\n", mark);
#endif
  return 0;
}
