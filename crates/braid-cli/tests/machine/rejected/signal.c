// property: unreach-call
// A signal handler and another thread count the same thing.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
int events;
static void handler(int number) { events++; }
void *other(void *unused) {
  events++;
  return 0;
}
int main(void) {
  pthread_t t;
  signal(SIGUSR1, handler);
  pthread_create(&t, 0, other, 0);
  raise(SIGUSR1);
  pthread_join(t, 0);
  assert(events == 2);
}
