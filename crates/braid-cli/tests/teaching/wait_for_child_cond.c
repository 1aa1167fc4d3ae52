// The parent waits for all of its children with a condition variable. Usage: join <children>
// expect: safe
// options: --args "join 3"
#include <unistd.h>
#include "common.h"
#include "common_threads.h"

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t cond;
  int running;
} synchronizer_t;

synchronizer_t s;
int *finished;

void sync_init(synchronizer_t *s, int n) {
  s->running = n;
  Pthread_mutex_init(&s->lock, NULL);
  Pthread_cond_init(&s->cond, NULL);
}

void sync_done(synchronizer_t *s) {
  Pthread_mutex_lock(&s->lock);
  s->running--;
  Pthread_cond_signal(&s->cond);
  Pthread_mutex_unlock(&s->lock);
}

void sync_wait(synchronizer_t *s) {
  Pthread_mutex_lock(&s->lock);
  while (s->running > 0)
    Pthread_cond_wait(&s->cond, &s->lock);
  Pthread_mutex_unlock(&s->lock);
}

void *child(void *arg) {
  long id = (long)arg;
  usleep(1000);
  finished[id] = 1;
  sync_done(&s);
  return NULL;
}

int main(int argc, char *argv[]) {
  long i, n;
  pthread_t p;
  if (argc != 2) {
    fprintf(stderr, "usage: %s children\n", argv[0]);
    return 1;
  }
  n = atoi(argv[1]);
  if (n < 1 || n > 3) {
    fprintf(stderr, "%s: between 1 and 3 children\n", argv[0]);
    return 1;
  }
  finished = Calloc(n, sizeof(int));
  sync_init(&s, n);
  for (i = 0; i < n; i++)
    Pthread_create(&p, NULL, child, (void *)i);
  sync_wait(&s);
  for (i = 0; i < n; i++)
    assert(finished[i] == 1);
  printf("parent: all %ld children are done\n", n);
  return 0;
}
