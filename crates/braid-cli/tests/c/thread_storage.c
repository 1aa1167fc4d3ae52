// expect: safe
// A thread-local variable starts with its initial value in each thread.
#include "model.h"

_Thread_local int mine = 3;
void *run(void *a) { check(mine == 3); mine = 4; check(mine == 4); return 0; }
int main() {
  pthread_t t, u;
  pthread_create(&t, 0, run, 0);
  pthread_create(&u, 0, run, 0);
  mine = 5;
  check(mine == 5);
}
