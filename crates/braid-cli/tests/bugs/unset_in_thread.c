// property: no-uninitialised
#include <pthread.h>
#include <stdlib.h>
int flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *user(void *arg) {
  int x;
  pthread_mutex_lock(&m);
  int set = flag;
  pthread_mutex_unlock(&m);
  if (set) x = 1;
#ifndef BUG
  if (!set) x = 0;
#endif
  return (void *)(long)x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, user, 0);
  pthread_mutex_lock(&m);
  flag = 1;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
}
