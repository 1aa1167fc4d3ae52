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
  run_twice(inc)
  check(x == 2);
}
