// property: unreach-call
// Ones are counted by an instruction that is not known, and one of both sums gets lost.
#include <assert.h>
#include <pthread.h>
static int sum;
static int ones(unsigned x) {
  int count;
  __asm__("popcnt %1, %0" : "=r"(count) : "r"(x));
  return count;
}
void *add(void *unused) {
  sum = sum + ones(5);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  sum = sum + ones(3);
  pthread_join(t, 0);
  assert(sum == 4);
}
