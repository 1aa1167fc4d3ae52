// expect: safe
// What fits into a register needs no lock, what is larger than two of them does.
// expect -D WRONG: unsafe
#include <assert.h>
#include <stdatomic.h>
struct large { long a, b, c; };
_Atomic int number;
_Atomic struct large record;
int main(void) {
  assert(atomic_is_lock_free(&number));
  assert(__atomic_always_lock_free(8, 0));
#ifdef WRONG
  assert(atomic_is_lock_free(&record));
#else
  assert(!atomic_is_lock_free(&record));
  assert(!__atomic_always_lock_free(3, 0));
#endif
}
