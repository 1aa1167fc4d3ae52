// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
int *p;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *user(void *arg) {
  pthread_mutex_lock(&m);
#ifdef BUG
  *p = 1;
#else
  if (p) *p = 1;
#endif
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  p = malloc(sizeof *p);
  pthread_create(&t, 0, user, 0);
  pthread_mutex_lock(&m);
  free(p);
#ifndef BUG
  p = 0;
#endif
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
