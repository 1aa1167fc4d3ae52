// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
int *p;
void *user(void *arg) { *p = 1; return 0; }
int main(void) {
  pthread_t t;
  p = malloc(sizeof *p);
  pthread_create(&t, 0, user, 0);
#ifndef BUG
  pthread_join(t, 0);
#endif
  free(p);
#ifdef BUG
  pthread_join(t, 0);
#endif
}
