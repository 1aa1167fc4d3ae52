// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
int x, *shared = &x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *user(void *arg) {
#ifndef BUG
  pthread_mutex_lock(&m);
#endif
  if (shared) *shared = 1;
#ifndef BUG
  pthread_mutex_unlock(&m);
#endif
  return 0;
}
void *owner(void *arg) {
  pthread_mutex_lock(&m);
  shared = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, user, 0);
  pthread_create(&b, 0, owner, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
