// The semaphore begins with 1, so the parent does not wait.
// expect: unsafe
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
  Sem_init(&s, 0, 1);
  Pthread_create(&p, NULL, child, NULL);
  Sem_wait(&s);
  printf("parent: end, the child says %d\n", answer);
  assert(answer == 42);
  return 0;
}
