// expect: safe
// Counters are unsigned, and the first thread alone fills what another one copies.
#include <assert.h>
#include <pthread.h>

#define SIZE 3000

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned from[SIZE], to[SIZE];

static void *copy(void *unused) {
  for (unsigned i = 0; i < SIZE; i++)
    to[i] = from[i];
  return 0;
}

int main(void) {
  pthread_t t;
  for (unsigned i = 0; i < SIZE; i++)
    from[i] = __VERIFIER_nondet_uint();
  pthread_create(&t, 0, copy, 0);
  pthread_join(t, 0);
  for (unsigned i = 0; i < SIZE; i++)
    assert(to[i] == from[i]);
}
