// expect: safe
// options: --property no-deadlock
// Main returns: a thread that waits does not outlive it.
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
  return 0;
}
