// property: unreach-call
// Numbers of 128 bits with a fraction.
#include <assert.h>
#include <pthread.h>

_Float128 sum;

void *add(void *unused) {
  sum += 0.25f128;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  sum += 0.5f128;
  pthread_join(t, 0);
  assert(sum == 0.75f128);
}
