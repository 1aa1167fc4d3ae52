// Bit-fields, and a float beside the argument.
#include <assert.h>
#include <pthread.h>

struct flags {
  unsigned ready : 1;
  unsigned level : 3;
  int delta : 5;
};
void control(double rate, struct flags *flags);
struct flags flags;

void *worker(void *unused) {
  control(0.5, &flags);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  assert(!(flags.ready && flags.level == 5 && flags.delta == -9));
}
