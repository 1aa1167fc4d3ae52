// Peterson's lock for two threads, without any special instruction.
//
// The bug: a thread says whose turn it is before it says that it is interested. So both can get in.
// expect: safe
// expect -D BUG: unsafe (unreach-call, no-data-race)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool interested[2];
static atomic_int turn;

static void enter(int me) {
  int other = 1 - me;
#ifdef BUG
  atomic_store(&turn, other);
  atomic_store(&interested[me], true);
#else
  atomic_store(&interested[me], true);
  atomic_store(&turn, other);
#endif
  while (atomic_load(&interested[other]) && atomic_load(&turn) == other) {
  }
}

static void leave(int me) {
  atomic_store(&interested[me], false);
}

static int shared;

static void *first(void *unused) {
  (void)unused;
  enter(0);
  shared = 1;
  assert(shared == 1);
  leave(0);
  return NULL;
}

static void *second(void *unused) {
  (void)unused;
  enter(1);
  shared = 2;
  assert(shared == 2);
  leave(1);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
