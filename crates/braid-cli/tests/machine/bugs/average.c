// property: unreach-call
// Two threads add to a sum of floating-point numbers, without a lock.
#include <assert.h>
#include <pthread.h>
double sum;
void *add(void *weight) {
  double half = *(double *)weight / 2;
  if (half > 0.1) sum += half * 2;
  return 0;
}
int main(void) {
  double first = 0.5, second = 1.5;
  pthread_t a, b;
  pthread_create(&a, 0, add, &first);
  pthread_create(&b, 0, add, &second);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(sum == 2.0);
}
