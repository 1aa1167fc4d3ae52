// All threads get the address of the same loop variable.
// expect: unsafe
#include "common.h"
#include "common_threads.h"

#define THREADS 3

int started[THREADS + 1];

void *worker(void *arg) {
  int id = *(int *)arg;
  printf("this is thread %d\n", id);
  __sync_fetch_and_add(&started[id], 1);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[THREADS];
  int i;
  for (i = 0; i < THREADS; i++)
    Pthread_create(&t[i], NULL, worker, &i);
  for (int k = 0; k < THREADS; k++)
    Pthread_join(t[k], NULL);
  for (int k = 0; k < THREADS; k++)
    assert(started[k] == 1);
  return 0;
}
