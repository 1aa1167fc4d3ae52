// A ticket lock made of fetch-and-add. Usage: ticket <threads>
// expect: safe
// options: --args "ticket 3"
#include <sched.h>
#include "common.h"
#include "common_threads.h"

typedef struct {
  int ticket;
  int turn;
} lock_t;

lock_t lock;
int balance = 0;
int inside = 0;

int fetch_and_add(int *ptr) { return __sync_fetch_and_add(ptr, 1); }

void lock_init(lock_t *lock) {
  lock->ticket = 0;
  lock->turn = 0;
}

void acquire(lock_t *lock) {
  int my_turn = fetch_and_add(&lock->ticket);
  while (__atomic_load_n(&lock->turn, __ATOMIC_SEQ_CST) != my_turn)
    sched_yield();
}

void release(lock_t *lock) { fetch_and_add(&lock->turn); }

void *worker(void *arg) {
  acquire(&lock);
  inside++;
  assert(inside == 1);
  balance += 10;
  inside--;
  release(&lock);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[8];
  int n;
  if (argc != 2 || (n = atoi(argv[1])) < 1 || n > 8) {
    fprintf(stderr, "usage: %s threads (at most 8)\n", argv[0]);
    exit(EXIT_FAILURE);
  }
  lock_init(&lock);
  for (int i = 0; i < n; i++)
    Pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < n; i++)
    Pthread_join(t[i], NULL);
  printf("balance: %d\n", balance);
  assert(balance == 10 * n);
  return 0;
}
