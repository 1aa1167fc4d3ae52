// expect: safe
// options: --property no-data-race
// What an atomic section calls is as atomic as the section.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int top;

int read_top(void) {
  int seen = top;
  return seen;
}

void *push(void *unused) {
  __VERIFIER_atomic_begin();
  top = read_top() + 1;
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, push, 0);
  pthread_create(&two, 0, push, 0);
  return 0;
}
