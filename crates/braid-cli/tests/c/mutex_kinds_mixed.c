// expect: safe
// A mutex of POSIX in fresh memory is a normal one, also beside one of C11.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>
mtx_t other;
int main(void) {
  mtx_init(&other, mtx_plain | mtx_recursive);
  pthread_mutex_t *m = malloc(sizeof *m);
  pthread_mutex_init(m, 0);
  assert(pthread_mutex_lock(m) == 0);
  assert(pthread_mutex_trylock(m) != 0);
  assert(pthread_mutex_unlock(m) == 0);
  free(m);
}
