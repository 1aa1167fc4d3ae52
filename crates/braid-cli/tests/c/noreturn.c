// expect: safe
// A function that never returns ends the execution, with and without a body.
#include "model.h"

_Noreturn void stop(int);
void halt(void) __attribute__((noreturn));
[[noreturn]] void cease(void);
static void __attribute__((__noreturn__)) spin(void) {
  for (;;)
    ;
}

int main() {
  int x = __VERIFIER_nondet_int();
  void (*end)(void) = x > 30 ? halt : cease;
  if (x == 1)
    stop(x++);
  if (x == 2)
    halt();
  if (x == 3)
    cease();
  if (x == 4)
    spin();
  if (x > 20)
    end();
  check(x != 1 && x != 2 && x != 3 && x != 4 && x <= 20);
}
