// expect: safe
// An atomic float: readers see whole values.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic double level = 0.5;

void *raise_level(void *argument) {
  level = 1e10;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, raise_level, 0);
  double seen = level;
  assert(seen == 0.5 || seen == 1e10);
  pthread_join(t, 0);
  assert(level > seen / 2);
}
