// expect: safe
// options: --property no-data-race
// A lock orders the writes, and joining orders the last read. What the assertion says does not matter here.
// expect -D WRONG: unsafe
// Two threads write the same variable, and nothing orders them.
#ifndef WRONG
#include <assert.h>
#endif
#include <pthread.h>

int counter;
#ifndef WRONG
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

void *add(void *unused) {
#ifndef WRONG
  pthread_mutex_lock(&lock);
#endif
  counter++;
#ifndef WRONG
  pthread_mutex_unlock(&lock);
#endif
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, add, 0);
  pthread_create(&two, 0, add, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
#ifndef WRONG
  assert(counter == 3);
#endif
  return 0;
}
