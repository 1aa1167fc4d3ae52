// expect: safe
// A recursive mutex can be taken again by its owner, an error-checking one cannot.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t again, checked;

void *other(void *unused) {
  assert(pthread_mutex_trylock(&again) == EBUSY);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&again, &kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &kind);
  pthread_mutex_lock(&again);
  pthread_mutex_lock(&checked);
  assert(pthread_mutex_trylock(&again) == 0);
  assert(pthread_mutex_trylock(&checked) == EBUSY);
  assert(pthread_mutex_unlock(&again) == 0);
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, 0);
  return 0;
}
