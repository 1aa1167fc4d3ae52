// property: unreach-call
// A long double and its bytes, updated without a lock.
#include <assert.h>
#include <pthread.h>

union number {
  long double value;
  unsigned char bytes[sizeof(long double)];
} sum;

void *add(void *unused) {
  sum.value = sum.value + 1.5L;
  return 0;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, add, 0);
  pthread_create(&u, 0, add, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  union number expected = {3.0L};
  for (int i = 0; i < 10; i++) assert(sum.bytes[i] == expected.bytes[i]);
}
