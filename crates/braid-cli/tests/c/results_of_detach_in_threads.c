// expect: safe
// A thread that detaches itself is told so, and told that it cannot do it twice.
#include <assert.h>
#include <pthread.h>
int first = -1, second = -1;
void *t(void *a) {
  first = pthread_detach(pthread_self());
  second = pthread_detach(pthread_self());
  assert(first == 0 && second != 0);
  return 0;
}
int main(void) {
  pthread_t h;
  pthread_create(&h, 0, t, 0);
  return 0;
}
