// expect: safe
// A compare-and-swap of floats looks at bits: zeros differ, and what is not a number can be swapped.
#include <assert.h>
#include <stdatomic.h>

_Atomic double d = 0.0;
_Atomic float f = 1.5f;

int main(void) {
  double minus = -0.0, nan = minus / minus;
  assert(!atomic_compare_exchange_strong(&d, &minus, 1.0));
  assert(atomic_compare_exchange_strong(&d, &minus, nan));
  assert(atomic_compare_exchange_strong(&d, &nan, 2.0) && d == 2);
  float old = 1.5f;
  assert(atomic_compare_exchange_strong(&f, &old, 2.5f) && f == 2.5);
}
