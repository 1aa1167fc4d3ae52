// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
void *user(void *arg) {
  int x = 3;
#ifdef BUG
  *(int **)arg = &x;
#else
  **(int **)arg = x;
#endif
  return 0;
}
int main(void) {
  pthread_t t;
  int y = 0, *p = &y;
  pthread_create(&t, 0, user, &p);
  pthread_join(t, 0);
  return *p;
}
