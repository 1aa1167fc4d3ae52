// expect: safe
// options: --property no-data-race
// Only one of both gets the block; the other one frees nothing.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
_Atomic(int *) slot;
void *taker(void *arg) {
  free(atomic_exchange(&slot, 0));
  return 0;
}
int main(void) {
  pthread_t a, b;
  slot = malloc(4);
  pthread_create(&a, 0, taker, 0);
  pthread_create(&b, 0, taker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
