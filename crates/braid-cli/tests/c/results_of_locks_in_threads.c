// expect: safe
// Results of library functions inside of a thread's function are values like others.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
sem_t s;
void *t(void *a) {
  assert(pthread_mutex_trylock(&m) == EBUSY);
  assert(pthread_rwlock_tryrdlock(&l) == EBUSY);
  assert(sem_trywait(&s) == -1 && errno == EAGAIN);
  int value = 7;
  assert(sem_getvalue(&s, &value) == 0 && value == 0);
  return 0;
}
int main(void) {
  pthread_t h;
  sem_init(&s, 0, 0);
  pthread_mutex_lock(&m);
  pthread_rwlock_wrlock(&l);
  pthread_create(&h, 0, t, 0);
  pthread_join(h, 0);
  return 0;
}
