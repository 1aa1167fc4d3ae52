// property: valid-memtrack
#include <pthread.h>
#include <stdlib.h>
void *user(void *arg) {
  int *p = malloc(4);
  *p = 1;
#ifndef BUG
  free(p);
#endif
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, user, 0);
  pthread_join(t, 0);
}
