// property: no-undefined
// Two threads join the same one.
#include <pthread.h>
pthread_t worker;
void *work(void *argument) { return argument; }
void *waiter(void *argument) {
  pthread_join(worker, 0);
  return 0;
}
int main(void) {
  pthread_t other;
  pthread_create(&worker, 0, work, 0);
  pthread_create(&other, 0, waiter, 0);
#ifdef BUG
  pthread_join(worker, 0);
#endif
  pthread_join(other, 0);
}
