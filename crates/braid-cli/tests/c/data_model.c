// expect: safe
// options: --data-model LP64
// Types as wide as the model says.
#include "model.h"

int main() {
  check(sizeof(long) == 8 && sizeof(void *) == 8);
  long l = 2147483647;
  l++;
  check(l > 0);
}
