// expect: unsafe
// The counter was moved by a call that does nothing else.
#include <assert.h>
#include <pthread.h>
pthread_cond_t c[2];
int i;
int main(void) {
  pthread_cond_signal(&c[i++]);
  assert(i == 0);
  return 0;
}
