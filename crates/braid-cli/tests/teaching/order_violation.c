// A thread uses what its creator writes down only after it was created.
// expect: unsafe
#include <unistd.h>
#include "common.h"
#include "common_threads.h"

#define PR_STATE_INIT 1

typedef struct {
  pthread_t thread;
  int state;
} my_thread_t;

my_thread_t *new_thread(void *(*start)(void *), void *arg) {
  my_thread_t *t = Malloc(sizeof(my_thread_t));
  t->state = 0;
  Pthread_create(&t->thread, NULL, start, arg);
  t->state = PR_STATE_INIT;
  return t;
}

my_thread_t *volatile thread;

void *main_loop(void *arg) {
  usleep(10); // should be enough ...
  my_thread_t *self = thread;
  assert(self != NULL);
  printf("state is %d\n", self->state);
  return NULL;
}

int main(int argc, char *argv[]) {
  thread = new_thread(main_loop, NULL);
  Pthread_join(thread->thread, NULL);
  return 0;
}
