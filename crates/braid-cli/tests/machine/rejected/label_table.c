// property: no-data-race
// A table of distances between labels.
#include <pthread.h>

static const unsigned char program[] = {0, 1, 0, 2};
int stack_top, accumulator;

void *interpret(void *unused) {
  static const int distances[] = {&&push - &&push, &&add - &&push, &&halt - &&push};
  int at = 0;
next:
  goto *(&&push + distances[program[at++]]);
push:
  stack_top++;
  goto next;
add:
  accumulator += stack_top;
  goto next;
halt:
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, interpret, 0);
  interpret(0);
  pthread_join(t, 0);
}
