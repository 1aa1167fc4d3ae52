// expect: safe
// options: --property no-data-race
// Atomic accesses do not race with each other, whichever way they are written.
#include <pthread.h>
#include <stdatomic.h>

atomic_int one;
int two;

void *work(void *unused) {
  one = one + 1;
  __atomic_store_n(&two, __atomic_load_n(&two, 5) + 1, 5);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  return 0;
}
