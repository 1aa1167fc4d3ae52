// expect: safe
// The program is over when `main` returns, before anybody else can do anything.
// expect -D WRONG: unsafe
// The section ends before `main` returns.
#include "model.h"
int g;
void *t(void *a) { check(g == 0); return 0; }
int main(void) {
  pthread_t h;
  __VERIFIER_atomic_begin();
  pthread_create(&h, 0, t, 0);
  g = 1;
#ifdef WRONG
  __VERIFIER_atomic_end();
#endif
  return 0;
}
