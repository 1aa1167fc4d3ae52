// The thread waits until its creator has written everything down.
// expect: safe
#include <unistd.h>
#include "common.h"
#include "common_threads.h"

#define PR_STATE_INIT 1

typedef struct {
  pthread_t thread;
  int state;
} my_thread_t;

my_thread_t *thread;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
int ready = 0;

my_thread_t *new_thread(void *(*start)(void *), void *arg) {
  my_thread_t *t = Malloc(sizeof(my_thread_t));
  t->state = 0;
  Pthread_create(&t->thread, NULL, start, arg);
  t->state = PR_STATE_INIT;
  return t;
}

void *main_loop(void *arg) {
  Pthread_mutex_lock(&lock);
  while (ready == 0)
    Pthread_cond_wait(&cond, &lock);
  Pthread_mutex_unlock(&lock);
  assert(thread != NULL);
  assert(thread->state == PR_STATE_INIT);
  return NULL;
}

int main(int argc, char *argv[]) {
  my_thread_t *t = new_thread(main_loop, NULL);
  Pthread_mutex_lock(&lock);
  thread = t;
  ready = 1;
  Pthread_cond_signal(&cond);
  Pthread_mutex_unlock(&lock);
  Pthread_join(t->thread, NULL);
  free(t);
  return 0;
}
