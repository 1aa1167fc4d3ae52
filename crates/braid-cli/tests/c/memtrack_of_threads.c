// expect: safe
// options: --property valid-memtrack
// Nothing is left, whatever thread-local memory has pointed to.
// expect -D WRONG: unknown
#include <pthread.h>
#include <stdlib.h>
_Thread_local int *own;
pthread_key_t key;
static void *run(void *unused) {
  own = malloc(sizeof *own);
  pthread_setspecific(key, malloc(1));
#ifndef WRONG
  free(own);
#endif
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_key_create(&key, free);
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return 0;
}
