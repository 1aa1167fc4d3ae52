// expect: safe
// Locks chosen by an index.
#include "model.h"

pthread_mutex_t m[2];
int x[2];
void up(int i) { pthread_mutex_lock(&m[i]); x[i]++; pthread_mutex_unlock(&m[i]); }
void *run(void *a) { up(1); return 0; }
int main() {
  run_twice(run)
  up(0);
  check(x[0] == 1 && x[1] == 2);
}
