// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
pthread_t t;
void *user(void *arg) { return (void *)(long)*(int *)arg; }
void begin(void) {
  int x = 1;
  pthread_create(&t, 0, user, &x);
#ifndef BUG
  pthread_join(t, 0);
#endif
}
int main(void) {
  begin();
#ifdef BUG
  pthread_join(t, 0);
#endif
}
