// expect: safe
// The first bytes of an integer are its low ones.
#include "model.h"

int main() {
  long long wide = 0x1234567890ll;
  char *c = (char *)&wide;
  int *i = (int *)&wide;
  check(*c == (char)0x90);
  check(*i == 0x34567890);
}
