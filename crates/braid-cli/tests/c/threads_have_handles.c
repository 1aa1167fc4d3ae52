// expect: safe
// The handle of the first thread is not that of another, and not 0.
#include <assert.h>
#include <pthread.h>
pthread_t first;
void *t(void *a) {
  assert(!pthread_equal(pthread_self(), first));
  return 0;
}
int main(void) {
  pthread_t h;
  first = pthread_self();
  assert(first != 0 && pthread_equal(first, pthread_self()));
  pthread_create(&h, 0, t, 0);
  pthread_join(h, 0);
  return 0;
}
