// expect: safe
// Every atomic operation gives what it should: the old value or the new one, wrapped around.
#include <assert.h>
#include <limits.h>
#include <stdatomic.h>
int main(void) {
  atomic_int x = 5;
  assert(atomic_fetch_add(&x, 3) == 5 && x == 8);
  assert(atomic_fetch_sub(&x, 10) == 8 && x == -2);
  assert(atomic_exchange(&x, INT_MAX) == -2);
  assert(atomic_fetch_add(&x, 1) == INT_MAX && x == INT_MIN);
  assert(__atomic_add_fetch((int *)&x, -1, __ATOMIC_RELAXED) == INT_MAX);
  unsigned char c = 250;
  assert(__sync_add_and_fetch(&c, 10) == 4 && __sync_fetch_and_sub(&c, 5) == 4 && c == 255);
  assert(__sync_val_compare_and_swap(&c, 255, 7) == 255 && c == 7);
  assert(!__sync_bool_compare_and_swap(&c, 8, 9) && c == 7);
  int a[3] = {1, 2, 3}, *p = a;
  assert(__atomic_fetch_add(&p, sizeof(int), __ATOMIC_SEQ_CST) == a && *p == 2);
  atomic_flag f = ATOMIC_FLAG_INIT;
  assert(!atomic_flag_test_and_set(&f) && atomic_flag_test_and_set(&f));
  atomic_flag_clear(&f);
  assert(!atomic_flag_test_and_set(&f));
  int e = 1;
  assert(!atomic_compare_exchange_strong(&x, &e, e + 1) && e == INT_MAX && x == INT_MAX);
  assert(atomic_compare_exchange_strong(&x, &e, e - 1) && x == INT_MAX - 1);
  return 0;
}
