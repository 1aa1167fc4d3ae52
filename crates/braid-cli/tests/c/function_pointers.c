// expect: safe
// Calls through pointers, and a thread by a pointer.
#include "model.h"

int one(int n) { return n + 1; }
int two(int n) { return n + 2; }
int (*table[2])(int) = {one, two};
void *run(void *f) { int (*g)(int) = f; check(g(1) == 3); return 0; }
int main() {
  int i = __VERIFIER_nondet_int() ? 1 : 0;
  check(table[i](5) == 6 + i);
  void *(*start)(void *) = run;
  pthread_t t;
  pthread_create(&t, 0, start, two);
}
