// expect: safe
// options: --property no-data-race
// Bit-fields of two objects are two memory locations, and so are a bit-field and its neighbour that is none.
#include <pthread.h>

struct flags {
  unsigned ready : 1;
  unsigned done : 1;
  int count;
} one, two;

void *finish(void *unused) {
  one.done = 1;
  two.count = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, finish, 0);
  one.count = 1;
  two.ready = 1;
  return 0;
}
