// expect: safe
// The same under a mutex.
#include "model.h"

int x;
pthread_mutex_t m;
void *inc(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main() {
  pthread_t t, u;
  pthread_create(&t, 0, inc, 0);
  pthread_create(&u, 0, inc, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  check(x == 2);
}
