// expect: unsafe
// As many threads as it takes.
#include "model.h"

int x;
void *inc(void *a) { x++; return 0; }
int main() {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, inc, 0);
  check(x < 3);
}
