// expect: safe
// A function of the library means the same through a pointer.
#include <assert.h>
#include <stdlib.h>

int twice(int x) { return 2 * x; }

int main(int arguments, char **texts) {
  int (*function)(int) = arguments > 1 ? (int (*)(int))abs : twice;
  int result = function(-3);
  assert(result == 3 || result == -6);
  void (*stop)(int) = exit;
  stop(1);
  assert(0);
}
