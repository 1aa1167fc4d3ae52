// expect: unsafe
// The second time, the result is not 0: here it is taken for granted.
#include <assert.h>
#include <pthread.h>
void *t(void *a) {
  pthread_detach(pthread_self());
  assert(pthread_detach(pthread_self()) == 0);
  return 0;
}
int main(void) {
  pthread_t h;
  pthread_create(&h, 0, t, 0);
  return 0;
}
