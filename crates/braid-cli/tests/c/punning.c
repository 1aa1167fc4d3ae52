// expect: safe
// The first byte of an integer is its lowest.
#include "model.h"

int main() {
  int i = 1;
  char *c = (char *)&i;
  *c = 2;
  check(i == 2);
}
