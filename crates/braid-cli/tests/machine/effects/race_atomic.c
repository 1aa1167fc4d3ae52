// property: no-data-race
// Two calls for atomic variables are no race; the one for a plain variable is.
#include <pthread.h>
#include <stdatomic.h>

void mark(atomic_int *place);
void note(int *place);
atomic_int a;
int b;

void *worker(void *unused) {
  mark(&a);
  note(&b);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  mark(&a);
  a = 3;
  note(&b);
  pthread_join(t, 0);
}
