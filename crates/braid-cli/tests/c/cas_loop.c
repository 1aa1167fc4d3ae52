// expect: safe
// The loop of lock-free programs: no increment is lost.
// expect -D WRONG: unsafe
// Without the loop an increment can be lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic int x;

void *add(void *argument) {
  int old = atomic_load(&x);
#ifndef WRONG
  while (!atomic_compare_exchange_weak(&x, &old, old + 1)) ;
#else
  atomic_compare_exchange_strong(&x, &old, old + 1);
#endif
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
