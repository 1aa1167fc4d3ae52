// expect: unsafe
// Two reads in one expression are two steps.
#include "model.h"

int x;
void *set(void *a) { x = 1; return 0; }
int main() {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  check(x - x == 0);
}
