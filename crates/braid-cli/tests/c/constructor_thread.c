// expect: unsafe
// A thread that a constructor starts runs beside `main`.
#include "model.h"

static int x;
static pthread_t t;
static void *run(void *p) {
  x = 1;
  return p;
}
static void __attribute__((constructor)) start(void) { pthread_create(&t, 0, run, 0); }

int main() {
  int before = x;
  check(x == before);
}
