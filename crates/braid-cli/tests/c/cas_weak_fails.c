// A weak exchange may fail without a reason.
// expect: unsafe
#include <assert.h>
#include <stdatomic.h>

_Atomic int x;

int main(void) {
  int e = 0;
  assert(atomic_compare_exchange_weak(&x, &e, 1));
}
