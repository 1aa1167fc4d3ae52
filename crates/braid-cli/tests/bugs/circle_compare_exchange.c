// property: progress
// Nobody changes the state back from 2 to 0.
#include <pthread.h>
#include <stdatomic.h>
atomic_int state;
void *worker(void *a) {
  int expected = 0;
  while (!atomic_compare_exchange_strong(&state, &expected, 1)) expected = 0;
#ifdef BUG
  state = 2;
#else
  state = 0;
#endif
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, worker, 0);
  pthread_create(&t, 0, worker, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
