// A spin lock made of one atomic flag.
//
// The bug: looking at the flag and setting it are two steps. Two threads can both see a free lock, and both go in.
// expect: safe
// expect -D BUG: unsafe (unreach-call, no-data-race)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct {
  atomic_bool taken;
} spin_lock;

static void spin_acquire(spin_lock *lock) {
#ifdef BUG
  while (atomic_load(&lock->taken)) {
  }
  atomic_store(&lock->taken, true);
#else
  while (atomic_exchange(&lock->taken, true)) {
  }
#endif
}

static void spin_release(spin_lock *lock) {
  atomic_store(&lock->taken, false);
}

static spin_lock lock;
static int inside; // how many threads are in the critical section

static void *worker(void *unused) {
  (void)unused;
  spin_acquire(&lock);
  inside++;
  assert(inside == 1);
  inside--;
  spin_release(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
