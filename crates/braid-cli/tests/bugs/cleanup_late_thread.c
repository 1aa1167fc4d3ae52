// property: valid-memcleanup
#include <pthread.h>
#include <stdlib.h>
void *user(void *arg) {
  free(arg);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, user, malloc(4));
#ifndef BUG
  pthread_join(t, 0);
#endif
}
