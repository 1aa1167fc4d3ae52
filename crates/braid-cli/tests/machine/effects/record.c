// A struct on the heap: numbers of several sizes.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct reading {
  char unit;
  short level;
  int count;
  long long sum;
};
void sample(struct reading *reading);

void *worker(void *argument) {
  sample(argument);
  return 0;
}

int main(void) {
  struct reading *r = malloc(sizeof *r);
  pthread_t t;
  pthread_create(&t, 0, worker, r);
  pthread_join(t, 0);
  assert(!(r->unit == 'm' && r->level == -3 && r->count == 70000 && r->sum == -5000000000));
  free(r);
}
