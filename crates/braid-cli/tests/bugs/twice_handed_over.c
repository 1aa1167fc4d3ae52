// property: valid-free
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
_Atomic(int *) slot;
void *taker(void *arg) {
#ifdef BUG
  int *p = slot;
#else
  int *p = atomic_exchange(&slot, 0);
#endif
  free(p);
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
