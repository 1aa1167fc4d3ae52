// expect: safe
// Atomic sections among the cases of a switch, and in a block of one.
// expect -D WRONG: unsafe
// As its namesake, but the second case is not atomic.
#include "model.h"

int x, y, which;
void *run(void *a) {
  switch (which) {
    case 0: {
      __VERIFIER_atomic_begin();
      x++;
      y++;
      __VERIFIER_atomic_end();
      break;
    }
    case 1:
#ifndef WRONG
      __VERIFIER_atomic_begin();
#endif
      x += 2;
      y += 2;
#ifndef WRONG
      __VERIFIER_atomic_end();
#endif
      break;
  }
  return 0;
}
int main() {
  pthread_t t, u;
  pthread_create(&t, 0, run, 0);
  which = 1;
  pthread_create(&u, 0, run, 0);
  __VERIFIER_atomic_begin();
  check(x == y);
  __VERIFIER_atomic_end();
  pthread_join(t, 0);
  pthread_join(u, 0);
  check(x == 3 || x == 4);
}
