// expect: safe
// options: --property no-deadlock
// A recursive mutex can be taken twice.
// expect -D WRONG: unsafe
// Initialised again, it is a normal one.
#define _GNU_SOURCE
#include <pthread.h>
pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int main(void) {
#ifdef WRONG
  pthread_mutex_init(&m, 0);
#endif
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m);
}
