// expect: safe
// expect -D WRONG: unsafe
// Threads are started in an endless loop: a proof for any number of them is needed.
#include "model.h"

pthread_mutex_t m;
int inside;

void *worker(void *a) {
  while (__VERIFIER_nondet_int()) {
#ifndef WRONG
    pthread_mutex_lock(&m);
#endif
    inside = inside + 1;
    check(inside == 1);
    inside = inside - 1;
#ifndef WRONG
    pthread_mutex_unlock(&m);
#endif
  }
  return 0;
}

int main() {
  pthread_t t;
  while (1) pthread_create(&t, 0, worker, 0);
}
