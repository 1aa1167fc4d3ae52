// expect: safe
// Given back without being consistent, it is lost.
#include "owner_over.h"

int main(void) {
  pthread_t t = owner(PTHREAD_MUTEX_ROBUST);
  pthread_join(t, 0);
  assert(pthread_mutex_trylock(&m) == EOWNERDEAD);
  assert(pthread_mutex_unlock(&m) == 0);
  assert(pthread_mutex_lock(&m) == ENOTRECOVERABLE);
  assert(pthread_mutex_consistent(&m) == EINVAL);
}
