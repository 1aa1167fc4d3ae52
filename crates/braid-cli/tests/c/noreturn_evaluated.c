// expect: unsafe
// The arguments of a function that never returns are evaluated.
#include "model.h"

_Noreturn void stop(int);
static int wrong(void) {
  check(0);
  return 1;
}

int main() {
  stop(wrong());
}
