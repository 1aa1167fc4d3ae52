// expect: unsafe
// A lock that is not taken protects nothing.
#include "model.h"

int x;
pthread_mutex_t m;
void *run(void *a) { pthread_mutex_trylock(&m); int l = x; x = l + 1; return 0; }
int main() {
  pthread_t t, u;
  pthread_create(&t, 0, run, 0);
  pthread_create(&u, 0, run, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  check(x == 2);
}
