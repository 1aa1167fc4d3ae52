// expect: safe
// options: --property no-deadlock
// One posts before it waits.
// expect -D WRONG: unsafe
// Each waits before it posts what the other one waits for.
#include <pthread.h>
#include <semaphore.h>
static sem_t s, t;
static void *one(void *x) {
  sem_wait(&s);
  sem_post(&t);
  return 0;
}
static void *two(void *x) {
#ifndef WRONG
  sem_post(&s);
#endif
  sem_wait(&t);
#ifdef WRONG
  sem_post(&s);
#endif
  return 0;
}
int main(void) {
  pthread_t t0, t1;
  sem_init(&s, 0, 0);
  sem_init(&t, 0, 0);
  pthread_create(&t0, 0, one, 0);
  pthread_create(&t1, 0, two, 0);
  pthread_join(t0, 0);
  pthread_join(t1, 0);
  return 0;
}
