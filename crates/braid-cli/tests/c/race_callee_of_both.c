// expect: unsafe
// options: --property no-data-race
// The same function, called from an atomic section and without one.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int top;

void push(void) {
  int seen = top;
  top = seen + 1;
}

void *careful(void *unused) {
  __VERIFIER_atomic_begin();
  push();
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, careful, 0);
  push();
  return 0;
}
