// First try at a lock: look at the flag, then set it.
// expect: unsafe
#include "common.h"
#include "common_threads.h"

typedef struct __lock_t {
  volatile int flag;
} lock_t;

void init(lock_t *mutex) { mutex->flag = 0; }
void lock(lock_t *mutex) {
  while (mutex->flag == 1)
    ; // somebody else has it
  mutex->flag = 1;
}
void unlock(lock_t *mutex) { mutex->flag = 0; }

lock_t mutex;
volatile int balance = 0;

void *mythread(void *arg) {
  char *letter = arg;
  int i;
  printf("%s: begin\n", letter);
  for (i = 0; i < 2; i++) {
    lock(&mutex);
    balance = balance + 1;
    unlock(&mutex);
  }
  printf("%s: done\n", letter);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t p1, p2;
  init(&mutex);
  Pthread_create(&p1, NULL, mythread, "A");
  Pthread_create(&p2, NULL, mythread, "B");
  Pthread_join(p1, NULL);
  Pthread_join(p2, NULL);
  printf("main: done [balance: %d, should be %d]\n", balance, 4);
  assert(balance == 4);
  return 0;
}
