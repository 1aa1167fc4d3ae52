// property: valid-deref
#include <stdlib.h>
static int *kept, other;
static void last(void) { *kept = 1; }
int main(void) {
  int own = 0;
  kept = &own;
  atexit(last);
#ifndef BUG
  kept = &other;
#endif
  return own;
}
