// An approximate counter, asked for a precise answer: what is still local is missing.
// expect: unsafe
#include "common.h"
#include "common_threads.h"

#define THREADS 2
#define LOOPS 3
#define THRESHOLD 2

int global = 0;
int local[THREADS];
pthread_mutex_t glock = PTHREAD_MUTEX_INITIALIZER;

void increment(int id) {
  local[id]++;
  if (local[id] >= THRESHOLD) {
    Pthread_mutex_lock(&glock);
    global += local[id];
    Pthread_mutex_unlock(&glock);
    local[id] = 0;
  }
}

void *worker(void *arg) {
  for (int i = 0; i < LOOPS; i++)
    increment((int)(long)arg);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[THREADS];
  for (long i = 0; i < THREADS; i++)
    Pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < THREADS; i++)
    Pthread_join(t[i], NULL);
  printf("counter: %d\n", global);
  assert(global == THREADS * LOOPS);
  return 0;
}
