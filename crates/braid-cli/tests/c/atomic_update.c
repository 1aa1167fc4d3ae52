// expect: safe
// `++` on an atomic variable is one step.
// expect -D WRONG: unsafe
// An atomic variable in `x = x + 1` is two steps.
#include "model.h"

_Atomic int x;
#ifndef WRONG
void *inc(void *a) { x++; x += 2; return 0; }
#else
void *inc(void *a) { x = x + 1; return 0; }
#endif
int main() {
  pthread_t t, u;
  pthread_create(&t, 0, inc, 0);
  pthread_create(&u, 0, inc, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
#ifndef WRONG
  check(x == 6);
#else
  check(x == 2);
#endif
}
