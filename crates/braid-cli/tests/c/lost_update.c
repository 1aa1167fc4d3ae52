// expect: safe
// The same under a mutex.
// expect -D WRONG: unsafe
// An increment is a read and a write.
#include "model.h"

int x;
#ifndef WRONG
pthread_mutex_t m;
void *inc(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
#else
void *inc(void *a) { x++; return 0; }
#endif
int main() {
  pthread_t t, u;
  pthread_create(&t, 0, inc, 0);
  pthread_create(&u, 0, inc, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  check(x == 2);
}
