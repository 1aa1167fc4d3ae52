// Readers and writers with semaphores: the first reader locks writers out, the last lets them in. Usage: rw <readers> <writers>
// expect: safe
// options: --args "rw 2 2"
#include "common.h"
#include "common_threads.h"

typedef struct {
  sem_t lock;
  sem_t writelock;
  int readers;
} rwlock_t;

rwlock_t rw;
int low = 0, high = 0;

void rwlock_init(rwlock_t *rw) {
  rw->readers = 0;
  Sem_init(&rw->lock, 0, 1);
  Sem_init(&rw->writelock, 0, 1);
}
void acquire_readlock(rwlock_t *rw) {
  Sem_wait(&rw->lock);
  rw->readers++;
  if (rw->readers == 1)
    Sem_wait(&rw->writelock);
  Sem_post(&rw->lock);
}
void release_readlock(rwlock_t *rw) {
  Sem_wait(&rw->lock);
  rw->readers--;
  if (rw->readers == 0)
    Sem_post(&rw->writelock);
  Sem_post(&rw->lock);
}
void acquire_writelock(rwlock_t *rw) { Sem_wait(&rw->writelock); }
void release_writelock(rwlock_t *rw) { Sem_post(&rw->writelock); }

void *reader(void *arg) {
  acquire_readlock(&rw);
  int a = low, b = high;
  assert(a == b);
  release_readlock(&rw);
  printf("read %d %d\n", a, b);
  return NULL;
}

void *writer(void *arg) {
  acquire_writelock(&rw);
  low++;
  high++;
  release_writelock(&rw);
  return NULL;
}

int main(int argc, char *argv[]) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s readers writers\n", argv[0]);
    exit(1);
  }
  int readers = atoi(argv[1]), writers = atoi(argv[2]);
  pthread_t r[readers], w[writers];
  int i;
  rwlock_init(&rw);
  for (i = 0; i < readers; i++)
    Pthread_create(&r[i], NULL, reader, NULL);
  for (i = 0; i < writers; i++)
    Pthread_create(&w[i], NULL, writer, NULL);
  for (i = 0; i < readers; i++)
    Pthread_join(r[i], NULL);
  for (i = 0; i < writers; i++)
    Pthread_join(w[i], NULL);
  assert(low == writers && high == writers);
  return 0;
}
