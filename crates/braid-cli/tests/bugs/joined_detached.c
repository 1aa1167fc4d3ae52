// property: no-undefined
// A thread that detaches itself, perhaps before it is joined.
#include <pthread.h>
void *work(void *argument) {
#ifdef BUG
  pthread_detach(pthread_self());
#endif
  return argument;
}
int main(void) {
  pthread_t worker;
  pthread_create(&worker, 0, work, 0);
  pthread_join(worker, 0);
}
