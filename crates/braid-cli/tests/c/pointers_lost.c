// expect: unknown (it is not known what this pointer points to
// An address that was divided may be anything.
#include <stdint.h>

int main(void) {
  int x = 1;
  uintptr_t number = (uintptr_t)&x / 4;
  return *(int *)(number * 4);
}
