// Wrong as it is read, and right as it is compiled.
#include <pthread.h>
extern void reach_error(void);
long size;

void *measure(void *unused) {
  size = sizeof(long);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, measure, 0);
  pthread_join(t, 0);
  if (size == 4) reach_error();
}
