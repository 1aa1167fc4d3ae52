// A failed exchange leaves the variable alone and says what it found; arguments are evaluated once.
// expect: safe
#include <assert.h>
#include <stdatomic.h>

_Atomic int x = 3;
int y = 4;
int wanted[2] = { 5, 8 };

int main(void) {
  int e = 5;
  assert(!atomic_compare_exchange_strong(&x, &e, 7) && e == 3 && x == 3);
  assert(atomic_compare_exchange_strong(&x, &e, e + 5) && e == 3 && x == 8);
  int i = 0;
  assert(!atomic_compare_exchange_strong(&x, &wanted[i++], 1) && i == 1 && wanted[0] == 8);
  assert(atomic_compare_exchange_strong(&x, &wanted[i++], 1) && i == 2 && x == 1);
  int expected = 1, desired = 9;
  assert(!__atomic_compare_exchange(&y, &expected, &desired, 0, 5, 5) && expected == 4 && desired == 9);
  assert(__atomic_compare_exchange_n(&y, &expected, 10, 0, 5, 5) && expected == 4 && y == 10);
  assert(__sync_val_compare_and_swap(&y, 3, 5) == 10 && y == 10);
}
