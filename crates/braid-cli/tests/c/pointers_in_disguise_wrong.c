// expect: unsafe
// What is written through bytes of a pointer is written.
#include <assert.h>
#include <string.h>

static int x;
int main(void) {
  char text[16];
  int *p = &x, *q;
  memcpy(text + 5, &p, sizeof p);
  memcpy(&q, text + 5, sizeof q);
  *q = 1;
  assert(x == 0);
}
