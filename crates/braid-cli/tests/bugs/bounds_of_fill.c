// property: valid-deref
// What comes after the last member is not filled, and after a variable there is nothing.
#include <string.h>
struct pair {
  int a[2], last;
};
int main(void) {
  struct pair p;
  int x, y = 1;
#ifdef BUG
  memset(&p.last, 0, sizeof p);
#else
  memset(&p, 0, sizeof p);
#endif
  memcpy(&x, &y, sizeof x);
  return p.last + x == 9;
}
