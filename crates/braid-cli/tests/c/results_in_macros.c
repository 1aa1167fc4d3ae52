// expect: safe
// expect -D WRONG: unsafe
// All that a macro makes has one place: which calls are statements of their own does not depend on places.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#ifdef WRONG
#define WRITTEN 4
#else
#define WRITTEN 3
#endif
#define CHECKED(call, result) do { if ((call) != (result)) __builtin_abort(); } while (0)
pthread_barrier_t b;
int main(void) {
  assert(printf("%d\n", 12) == WRITTEN);
  CHECKED(pthread_barrier_init(&b, 0, 1), 0);
  CHECKED(pthread_barrier_wait(&b), PTHREAD_BARRIER_SERIAL_THREAD);
  return 0;
}
