// expect: unsafe
// A comparison that fails changes what was expected, not the variable.
#include <assert.h>
#include <stdatomic.h>
int main(void) {
  atomic_int x = 5;
  int e = 4;
  atomic_compare_exchange_strong(&x, &e, 9);
  assert(x == 9);
  return 0;
}
