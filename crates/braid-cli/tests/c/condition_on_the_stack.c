// expect: safe
// options: --property valid-deref --engine explicit
// A condition variable on the stack has a value once it is initialised: there is nothing to choose.
#include <pthread.h>
struct gate { pthread_mutex_t lock; pthread_cond_t opened; int open; };
static void *walk(void *arg) {
  struct gate *gate = arg;
  pthread_mutex_lock(&gate->lock);
  while (!gate->open) pthread_cond_wait(&gate->opened, &gate->lock);
  pthread_mutex_unlock(&gate->lock);
  return 0;
}
int main(void) {
  struct gate gate;
  pthread_t t;
  pthread_mutex_init(&gate.lock, 0);
  pthread_cond_init(&gate.opened, 0);
  gate.open = 0;
  pthread_create(&t, 0, walk, &gate);
  pthread_mutex_lock(&gate.lock);
  gate.open = 1;
  pthread_cond_signal(&gate.opened);
  pthread_mutex_unlock(&gate.lock);
  pthread_join(t, 0);
}
