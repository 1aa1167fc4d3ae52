// expect: unsafe
// A lock that is not taken protects nothing.
#include "model.h"

int x;
pthread_mutex_t m;
void *run(void *a) { pthread_mutex_trylock(&m); int l = x; x = l + 1; return 0; }
int main() {
  run_twice(run)
  check(x == 2);
}
