// expect: safe
// Three rounds stay below four.
// expect -D WRONG: unsafe
// A thread that counts in two bits sees zero again.
#include "model.h"

struct bits { unsigned two : 2, other : 6; } b;
int wrapped;
static void *count(void *p) {
#ifndef WRONG
  for (int i = 0; i < 3; i++)
#else
  for (int i = 0; i < 4; i++)
#endif
    if (!++b.two)
      wrapped = 1;
  return 0;
}

int main() {
  pthread_t t;
  pthread_create(&t, 0, count, 0);
  pthread_join(t, 0);
  check(!wrapped);
}
