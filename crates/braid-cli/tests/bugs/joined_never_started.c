// property: no-undefined
// A handle that no thread was given.
#include <pthread.h>
pthread_t worker;
int wanted;
void *work(void *argument) { return argument; }
int main(void) {
#ifdef BUG
  if (wanted)
#endif
    pthread_create(&worker, 0, work, 0);
  pthread_join(worker, 0);
}
