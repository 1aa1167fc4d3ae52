// expect: rejected: memory is accessed as another type than it has
// Memory is not bytes.
#include "model.h"

int main() {
  int i = 1;
  char *c = (char *)&i;
  *c = 2;
  check(i == 2);
}
