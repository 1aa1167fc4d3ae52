// A barrier that works once: the counter is never reset, so the second round does not wait.
// expect: unsafe
#include "common.h"
#include "common_threads.h"

#define THREADS 2
#define ROUNDS 2

sem_t mutex, turnstile;
int count = 0;
int step[THREADS];

void barrier(void) {
  Sem_wait(&mutex);
  count++;
  if (count >= THREADS)
    Sem_post(&turnstile);
  Sem_post(&mutex);

  Sem_wait(&turnstile);
  Sem_post(&turnstile);
}

void *worker(void *arg) {
  int id = *(int *)arg;
  int other = 1 - id;
  for (int r = 1; r <= ROUNDS; r++) {
    step[id] = r;
    barrier();
    printf("thread %d finished step %d\n", id, r);
    assert(step[other] >= r);
  }
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[THREADS];
  int ids[THREADS];
  Sem_init(&mutex, 0, 1);
  Sem_init(&turnstile, 0, 0);
  for (int i = 0; i < THREADS; i++) {
    ids[i] = i;
    Pthread_create(&t[i], NULL, worker, &ids[i]);
  }
  for (int i = 0; i < THREADS; i++)
    Pthread_join(t[i], NULL);
  return 0;
}
