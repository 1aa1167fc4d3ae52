// An exchange that finds another value does not succeed.
// expect: unsafe
#include <assert.h>
#include <stdatomic.h>

_Atomic int x = 3;

int main(void) {
  int e = 5;
  assert(atomic_compare_exchange_strong(&x, &e, 7));
}
