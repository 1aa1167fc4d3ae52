// A ticket lock whose tickets are drawn by two instructions: two threads can get the same one.
// expect: unsafe
#include "common.h"
#include "common_threads.h"

typedef struct {
  volatile int ticket;
  volatile int turn;
} lock_t;

lock_t lock = {0, 0};
volatile int inside = 0;

void acquire(lock_t *lock) {
  int mine = lock->ticket++;
  while (lock->turn != mine)
    ; // spin
}

void release(lock_t *lock) { lock->turn++; }

void *worker(void *arg) {
  acquire(&lock);
  inside++;
  assert(inside == 1);
  inside--;
  release(&lock);
  printf("%s was inside\n", (char *)arg);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t a, b;
  Pthread_create(&a, NULL, worker, "A");
  Pthread_create(&b, NULL, worker, "B");
  Pthread_join(a, NULL);
  Pthread_join(b, NULL);
  return 0;
}
