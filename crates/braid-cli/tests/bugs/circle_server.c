// property: progress
// A server that works for ever is no livelock; one whose queue nobody fills any more is one.
#include <pthread.h>
#include <stdatomic.h>
atomic_int queue;
void *server(void *a) {
  for (;;)
    if (queue > 0) queue = queue - 1;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, server, 0);
#ifdef BUG
  queue = 1;
#else
  for (;;)
    if (queue == 0) queue = 1;
#endif
  pthread_join(t, 0);
  return 0;
}
