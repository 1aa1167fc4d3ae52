// property: no-undefined
#include <pthread.h>
void *work(void *argument) { return argument; }
int main(void) {
  pthread_t worker;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
#ifdef BUG
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
#endif
  pthread_create(&worker, &attributes, work, 0);
  pthread_join(worker, 0);
}
