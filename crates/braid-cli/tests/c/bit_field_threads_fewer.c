// expect: safe
// Three rounds stay below four.
#include "model.h"

struct bits { unsigned two : 2, other : 6; } b;
int wrapped;
static void *count(void *p) {
  for (int i = 0; i < 3; i++)
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
