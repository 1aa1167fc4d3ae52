// Nobody waits, so there is no deadlock, however many threads there are; and nothing is divided, shifted or read before it has a value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int lock;
static unsigned counter;
static void *worker(void *x) {
  int expected = 0;
#ifndef BUG
  while (!atomic_compare_exchange_strong(&lock, &expected, 1)) expected = 0;
#endif
  unsigned before = counter;
  counter = before + 1;
  assert(counter == before + 1);
  atomic_store(&lock, expected);
  return x;
}
int main(void) {
  while (1) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
  }
}
