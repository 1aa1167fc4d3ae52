// property: unreach-call
// The bits of a float, read as an integer: the sign is set in a copy.
#include <assert.h>
#include <pthread.h>
union number {
  float value;
  unsigned bits;
} shared;
void *negate(void *unused) {
  union number copy = shared;
  copy.bits ^= 0x80000000u;
  shared = copy;
  return 0;
}
int main(void) {
  pthread_t t;
  shared.value = 1.5f;
  pthread_create(&t, 0, negate, 0);
  negate(0);
  pthread_join(t, 0);
  assert(shared.value > 0);
}
