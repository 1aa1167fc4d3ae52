// expect: safe
// An atomic section of `main` that is never ended lasts to the end of the program.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);

int x;

void *other(void *unused) {
  assert(x != 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  __VERIFIER_atomic_begin();
  x = 1;
  assert(x == 1);
  x = x + 1;
  return 0;
}
