// expect: unsafe
// The lock may be free again: then trylock gives 0.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) {
  assert(pthread_mutex_trylock(&m) == EBUSY);
  return 0;
}
int main(void) {
  pthread_t h;
  pthread_mutex_lock(&m);
  pthread_create(&h, 0, t, 0);
  pthread_mutex_unlock(&m);
  pthread_join(h, 0);
  return 0;
}
