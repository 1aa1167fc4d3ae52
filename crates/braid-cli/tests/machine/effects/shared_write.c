// The function writes what another thread looks at: in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void update(atomic_int *where);
atomic_int cell = 1;

void *writer(void *unused) {
  update(&cell);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int before = cell;
  int after = cell;
  assert(!(before == 1 && after == 8));
  pthread_join(t, 0);
}
