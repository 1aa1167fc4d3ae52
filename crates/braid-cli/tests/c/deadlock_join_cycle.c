// expect: unsafe
// options: --property no-deadlock
// Two threads wait for the end of each other.
#include <pthread.h>
#include <semaphore.h>
static pthread_t t0, t1;
static sem_t s;
static void *one(void *x) {
  sem_wait(&s);
  pthread_join(t1, 0);
  return 0;
}
static void *two(void *x) {
  pthread_join(t0, 0);
  return 0;
}
int main(void) {
  sem_init(&s, 0, 0);
  pthread_create(&t0, 0, one, 0);
  pthread_create(&t1, 0, two, 0);
  sem_post(&s);
  pthread_exit(0);
}
