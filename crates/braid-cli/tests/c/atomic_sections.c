// expect: safe
// Sections that end early, and atomic functions.
#include "model.h"

int x, y;
int try_up(void) {
  __VERIFIER_atomic_begin();
  if (x != y) {
    __VERIFIER_atomic_end();
    return 0;
  }
  x++;
  y++;
  __VERIFIER_atomic_end();
  return 1;
}
void __VERIFIER_atomic_down(void) { x--; y--; }
void *run(void *a) { check(try_up()); __VERIFIER_atomic_down(); return 0; }
int main() {
  pthread_t t, u;
  pthread_create(&t, 0, run, 0);
  pthread_create(&u, 0, run, 0);
}
