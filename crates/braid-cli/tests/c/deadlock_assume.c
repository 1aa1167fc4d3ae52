// expect: safe
// options: --property no-deadlock
// Whoever is at an assumption that does not hold does not wait.
#include <pthread.h>
void __VERIFIER_assume(int);
static int x;
static void *one(void *x) {
  __VERIFIER_assume(x == 1);
  return 0;
}
int main(void) {
  pthread_t t0;
  pthread_create(&t0, 0, one, 0);
  pthread_join(t0, 0);
  return 0;
}
