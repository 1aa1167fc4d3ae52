// property: progress
// Who prints does something; who counts for himself does not.
#include <stdio.h>
int main(void) {
  int i = 0;
  for (;;) {
    i = (i + 1) % 4;
#ifndef BUG
    if (i == 0) printf("tick\n");
#endif
  }
}
