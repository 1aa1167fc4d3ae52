// expect: safe
// options: --property no-data-race
// A flag that is taken with `atomic_flag_test_and_set` is a lock.
#include <pthread.h>
#include <stdatomic.h>

atomic_flag taken = ATOMIC_FLAG_INIT;
int shared;

void *work(void *unused) {
  if (!atomic_flag_test_and_set(&taken)) {
    shared++;
    atomic_flag_clear(&taken);
  }
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, work, 0);
  pthread_create(&two, 0, work, 0);
  return 0;
}
