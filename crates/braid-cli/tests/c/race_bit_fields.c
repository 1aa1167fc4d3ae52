// expect: unsafe
// options: --property no-data-race
// Neighbouring bit-fields are one memory location.
#include <pthread.h>

struct flags {
  unsigned ready : 1;
  unsigned done : 1;
} flags;

void *finish(void *unused) {
  flags.done = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, finish, 0);
  flags.ready = 1;
  return 0;
}
