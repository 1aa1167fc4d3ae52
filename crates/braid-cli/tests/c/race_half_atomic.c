// expect: unsafe
// options: --property no-data-race
// A plain read races with an atomic write.
#include <pthread.h>

int flag;

void *set(void *unused) {
  __atomic_store_n(&flag, 1, 5);
  return 0;
}

int main(void) {
  pthread_t setter;
  pthread_create(&setter, 0, set, 0);
  int seen = flag;
  pthread_join(setter, 0);
  return seen;
}
