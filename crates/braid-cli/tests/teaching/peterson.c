// Peterson's algorithm for two threads. Usage: peterson <loops>
// expect: safe
// options: --args "peterson 2"
#include <stdatomic.h>
#include "common.h"
#include "common_threads.h"

atomic_int flag[2];
atomic_int turn;
int counter = 0;
int loops;

void lock(int self) {
  flag[self] = 1;
  turn = 1 - self;
  while (flag[1 - self] && turn == 1 - self)
    ; // spin
}

void unlock(int self) { flag[self] = 0; }

void *worker(void *arg) {
  int self = *(int *)arg;
  for (int i = 0; i < loops; i++) {
    lock(self);
    counter++;
    unlock(self);
  }
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t0, t1;
  int zero = 0, one = 1;
  if (argc != 2) {
    fprintf(stderr, "usage: %s loops\n", argv[0]);
    return 1;
  }
  loops = atoi(argv[1]);
  Pthread_create(&t0, NULL, worker, &zero);
  Pthread_create(&t1, NULL, worker, &one);
  Pthread_join(t0, NULL);
  Pthread_join(t1, NULL);
  printf("counter: %d\n", counter);
  assert(counter == 2 * loops);
  return 0;
}
