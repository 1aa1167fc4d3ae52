// expect: safe
// options: --property no-deadlock
// Main returns: a thread that waits does not outlive it.
// expect -D WRONG: unsafe
// Main ends as a thread, and another one waits for ever.
#include <pthread.h>
#include <semaphore.h>
static sem_t s, t;
static void *one(void *x) {
  sem_wait(&s);
  return 0;
}
int main(void) {
  pthread_t t0;
  sem_init(&s, 0, 0);
  pthread_create(&t0, 0, one, 0);
#ifndef WRONG
  return 0;
#else
  pthread_exit(0);
#endif
}
