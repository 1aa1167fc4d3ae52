// expect: unsafe
// An increment is a read and a write.
#include "model.h"

int x;
void *inc(void *a) { x++; return 0; }
int main() {
  pthread_t t, u;
  pthread_create(&t, 0, inc, 0);
  pthread_create(&u, 0, inc, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  check(x == 2);
}
