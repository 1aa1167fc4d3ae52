// expect: unsafe
// An atomic variable in `x = x + 1` is two steps.
#include "model.h"

_Atomic int x;
void *inc(void *a) { x = x + 1; return 0; }
int main() {
  pthread_t t, u;
  pthread_create(&t, 0, inc, 0);
  pthread_create(&u, 0, inc, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  check(x == 2);
}
