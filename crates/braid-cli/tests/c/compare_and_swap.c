// expect: safe
// Builtins for atomic operations.
#include "model.h"

int x, taken;
void *run(void *a) {
  int old;
  do { old = __atomic_load_n(&x, 5); } while (!__sync_bool_compare_and_swap(&x, old, old + 1));
  __atomic_fetch_add(&taken, 1, 5);
  return 0;
}
int main() {
  run_twice(run)
  check(x == 2 && taken == 2);
}
