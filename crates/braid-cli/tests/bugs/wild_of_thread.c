// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
int x;
void *user(void *arg) {
  int *p;
  if (arg) p = arg;
#ifndef BUG
  else p = &x;
#endif
  *p = 1;
  return 0;
}
int main(void) {
  pthread_t a, b;
  int y;
  pthread_create(&a, 0, user, &y);
  pthread_create(&b, 0, user, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
