// The parent waits for its child with a semaphore that begins with 0.
// expect: safe
// With 1 at its beginning the parent does not wait.
// expect -D WRONG: unsafe
#include <stdio.h>
#include <unistd.h>
#include "common.h"
#include "common_threads.h"

sem_t s;
int answer;

void *child(void *arg) {
  sleep(1);
  answer = 42;
  printf("child\n");
  Sem_post(&s);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t p;
  printf("parent: begin\n");
#ifndef WRONG
  Sem_init(&s, 0, 0);
#else
  Sem_init(&s, 0, 1);
#endif
  Pthread_create(&p, NULL, child, NULL);
  Sem_wait(&s);
  printf("parent: end, the child says %d\n", answer);
  assert(answer == 42);
  return 0;
}
