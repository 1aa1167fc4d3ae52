// expect: safe
// A thread can be detached once, and not after it was joined.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

void *thread(void *unused) { return 0; }

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, thread, 0);
  pthread_create(&two, 0, thread, 0);
  assert(pthread_detach(one) == 0);
  assert(pthread_detach(one) != 0);
  pthread_join(two, 0);
  assert(pthread_detach(two) == ESRCH);
  return 0;
}
