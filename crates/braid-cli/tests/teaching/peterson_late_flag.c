// Peterson's algorithm with its first two lines swapped.
// expect: unsafe
#include <stdatomic.h>
#include "common.h"
#include "common_threads.h"

atomic_int flag[2];
atomic_int turn;
int inside = 0;

void lock(int self) {
  turn = 1 - self;
  flag[self] = 1;
  while (flag[1 - self] && turn == 1 - self)
    ; // spin
}

void unlock(int self) { flag[self] = 0; }

void *worker(void *arg) {
  int self = (int)(long)arg;
  lock(self);
  inside++;
  assert(inside == 1);
  inside--;
  unlock(self);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    Pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 2; i++)
    Pthread_join(t[i], NULL);
  return 0;
}
