// expect: safe
// options: --property no-data-race
// Bit-fields of two objects are two memory locations, and so are a bit-field and its neighbour that is none.
// expect -D WRONG: unsafe
// Neighbouring bit-fields are one memory location.
#include <pthread.h>

struct flags {
  unsigned ready : 1;
  unsigned done : 1;
#ifndef WRONG
  int count;
} one, two;
#else
} flags;
#endif

void *finish(void *unused) {
#ifndef WRONG
  one.done = 1;
  two.count = 1;
#else
  flags.done = 1;
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, finish, 0);
#ifndef WRONG
  one.count = 1;
  two.ready = 1;
#else
  flags.ready = 1;
#endif
  return 0;
}
