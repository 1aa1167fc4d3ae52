// expect: unsafe
// The second time, the thread may be gone or not.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

void *thread(void *unused) { return 0; }

int main(void) {
  pthread_t one;
  pthread_create(&one, 0, thread, 0);
  pthread_detach(one);
  int again = pthread_detach(one);
  assert(again == EINVAL);
  return 0;
}
