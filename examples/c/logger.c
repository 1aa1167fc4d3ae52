// A logger with a thread of its own, which writes messages while the program goes on.
//
// The bug: the message lives on the stack of the function that logs it. When the logger gets to it, the function may have
// returned. The correct version hands over a copy, which the logger frees.
// expect: safe
// expect -D BUG: unsafe (valid-deref)
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int level;
} message;

static message *pending; // under `lock`
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;

static void *logger(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (pending == NULL) pthread_cond_wait(&arrived, &lock);
  message *m = pending;
  pending = NULL;
  pthread_mutex_unlock(&lock);
  printf("level %d\n", m->level);
#ifndef BUG
  free(m);
#endif
  return NULL;
}

static void write_log(int level) {
#ifdef BUG
  message on_stack;
  message *m = &on_stack;
#else
  message *m = malloc(sizeof *m);
#endif
  m->level = level;
  pthread_mutex_lock(&lock);
  pending = m;
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, logger, NULL);
  write_log(3);
  pthread_join(thread, NULL);
  return 0;
}
