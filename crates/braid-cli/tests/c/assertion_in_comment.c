// expect: unsafe
// Assertions as ACSL writes them.
#include "model.h"

int x;
void *run(void *a) { x = 1; return 0; }
int main() {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  //@ assert x == 0;
  return 0;
}
