// Two producers fill the buffer at once: the semaphores count slots, but nobody guards the index.
// expect: unsafe
#include "common.h"
#include "common_threads.h"

#define SIZE 2

int buffer[SIZE];
int fill = 0, use = 0;
sem_t empty, full;

void *producer(void *arg) {
  int value = *(int *)arg;
  Sem_wait(&empty);
  buffer[fill] = value;
  fill = (fill + 1) % SIZE;
  Sem_post(&full);
  return NULL;
}

int consume(void) {
  Sem_wait(&full);
  int value = buffer[use];
  use = (use + 1) % SIZE;
  Sem_post(&empty);
  return value;
}

int main(int argc, char *argv[]) {
  pthread_t p[2];
  int values[2] = {10, 20};
  int sum = 0;
  Sem_init(&empty, 0, SIZE);
  Sem_init(&full, 0, 0);
  for (int i = 0; i < 2; i++)
    Pthread_create(&p[i], NULL, producer, &values[i]);
  sum += consume();
  sum += consume();
  for (int i = 0; i < 2; i++)
    Pthread_join(p[i], NULL);
  printf("sum %d\n", sum);
  assert(sum == 30);
  return 0;
}
