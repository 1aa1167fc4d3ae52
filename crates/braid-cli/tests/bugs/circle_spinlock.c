// property: progress
// A way out of the critical section that does not give the lock back.
#include <pthread.h>
#include <stdatomic.h>
atomic_int lock;
int shared;
void take(void) {
  while (atomic_exchange(&lock, 1))
    ;
}
void *worker(void *a) {
  take();
  if (shared > 0) {
#ifndef BUG
    atomic_store(&lock, 0);
#endif
    return 0;
  }
  shared++;
  atomic_store(&lock, 0);
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, worker, 0);
  pthread_create(&t, 0, worker, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  take();
  return 0;
}
