// not forced: paint
// The argument is a struct: what its pointers lead to is not known to the machine.
#include <assert.h>
#include <pthread.h>

struct brush {
  int *canvas;
};
void paint(struct brush brush);
int canvas;

void *worker(void *unused) {
  struct brush brush = {&canvas};
  paint(brush);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  assert(canvas != 3);
}
