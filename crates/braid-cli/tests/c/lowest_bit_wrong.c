// expect: unsafe
// Some number has its lowest bit elsewhere.
#include <assert.h>
#include <strings.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(ffs(x) != 4);
  return 0;
}
