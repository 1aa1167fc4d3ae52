// expect: safe
// Each thread has its own local variable, also behind a pointer.
#include "model.h"

void add(int *p) { *p = *p + 1; }
void *run(void *a) { int mine = 0; add(&mine); add(&mine); check(mine == 2); return 0; }
int main() {
  pthread_t t, u;
  pthread_create(&t, 0, run, 0);
  pthread_create(&u, 0, run, 0);
}
