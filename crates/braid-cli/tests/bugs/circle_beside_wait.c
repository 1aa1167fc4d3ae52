// property: progress
// One spins for a signal of the other, which waits in a semaphore for the first.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
sem_t s;
atomic_int ready;
void *other(void *a) {
#ifdef BUG
  sem_wait(&s);
  ready = 1;
#else
  ready = 1;
  sem_wait(&s);
#endif
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, other, 0);
  while (!ready)
    ;
  sem_post(&s);
  pthread_join(t, 0);
  return 0;
}
