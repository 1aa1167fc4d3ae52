// expect: safe
// A float that is shared under a lock.
// expect -D WRONG: unsafe
// A float that is shared without a lock: one deposit can get lost.
#include <assert.h>
#include <pthread.h>

#ifndef WRONG
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#endif
float balance = 1.5f;

void *deposit(void *argument) {
#ifndef WRONG
  pthread_mutex_lock(&m);
#endif
  balance = balance + 0.25f;
#ifndef WRONG
  pthread_mutex_unlock(&m);
#endif
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
