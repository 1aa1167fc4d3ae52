// property: valid-memtrack
// The address is kept as a number.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static uintptr_t kept;
int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
#ifndef BUG
  kept = (uintptr_t)p;
#endif
}
