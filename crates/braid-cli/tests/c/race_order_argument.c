// expect: unsafe
// options: --property no-data-race
// The argument that names the memory order is evaluated like any other, and not atomically.
#include <pthread.h>

int flag, order;

void *set(void *unused) {
  __atomic_store_n(&flag, 1, ++order);
  return 0;
}

int main(void) {
  pthread_t setter;
  pthread_create(&setter, 0, set, 0);
  return __atomic_load_n(&order, 5);
}
