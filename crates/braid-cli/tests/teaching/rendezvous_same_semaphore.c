// Two threads want to meet with one semaphore: each can take back what it put there itself.
// expect: unsafe
#include <unistd.h>
#include "common.h"
#include "common_threads.h"

sem_t here;
volatile int arrived[2];

void *child(void *arg) {
  long me = (long)arg;
  printf("child %ld: before\n", me);
  arrived[me] = 1;
  Sem_post(&here);
  Sem_wait(&here);
  assert(arrived[1 - me]);
  printf("child %ld: after\n", me);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t p1, p2;
  Sem_init(&here, 0, 0);
  Pthread_create(&p1, NULL, child, (void *)0);
  Pthread_create(&p2, NULL, child, (void *)1);
  Pthread_join(p1, NULL);
  Pthread_join(p2, NULL);
  return 0;
}
