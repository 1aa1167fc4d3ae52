// property: progress
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
void *other(void *a) {
#ifndef BUG
  flag = 1;
#endif
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  while (!flag)
    ;
  pthread_join(t, 0);
  return 0;
}
