// expect: unsafe
// The order of additions by two threads shows in the sum.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
float sum = 16777216;

void *add(void *argument) {
  pthread_mutex_lock(&m);
  sum += *(float *)argument;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  float one = 1, large = -16777216;
  pthread_t a, b;
  pthread_create(&a, 0, add, &one);
  pthread_create(&b, 0, add, &large);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(sum == 1);
}
