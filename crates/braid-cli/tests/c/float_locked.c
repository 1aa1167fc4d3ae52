// expect: safe
// A float that is shared under a lock.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
float balance = 1.5f;

void *deposit(void *argument) {
  pthread_mutex_lock(&m);
  balance = balance + 0.25f;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, deposit, 0);
  pthread_create(&b, 0, deposit, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(balance == 2.0f);
}
