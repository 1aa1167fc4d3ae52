// The loop of lock-free programs: no increment is lost.
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic int x;

void *add(void *argument) {
  int old = atomic_load(&x);
  while (!atomic_compare_exchange_weak(&x, &old, old + 1)) ;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
}
