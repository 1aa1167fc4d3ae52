// expect: unsafe
// options: --property no-data-race
// Both may get the block.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
_Atomic(int *) slot;
void *taker(void *arg) {
  free(slot);
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
