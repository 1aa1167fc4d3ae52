// expect: unknown
// options: --instances 1 --engine gem
// For an engine with a bound on threads that was reached, there is no `safe`.
#include "model.h"

int x;
void *set(void *a) { x = 1; return 0; }
int main() {
  pthread_t t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, set, 0);
  check(x < 2);
}
