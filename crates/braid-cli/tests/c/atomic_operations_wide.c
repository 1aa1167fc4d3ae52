// expect: safe
// Atomic arithmetic has the width of its operand, also where integers are bit-vectors; so have results of C11 threads.
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>
int give(void *a) { return -7; }
int main(void) {
  _Atomic unsigned long x = 0xfffffffffUL;
  assert((x & 0xff00) == 0xff00);
  assert(atomic_fetch_add(&x, 1) == 0xfffffffffUL && x == 0x1000000000UL);
  thrd_t t;
  int r;
  thrd_create(&t, give, 0);
  thrd_join(t, &r);
  assert(r == -7);
  return 0;
}
