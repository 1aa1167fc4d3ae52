// A bounded buffer with semaphores, and a third one for mutual exclusion. Usage: pc_sem <loops> <consumers>
// expect: safe
// options: --args "pc_sem 3 1"
#include "common.h"
#include "common_threads.h"

#define SIZE 2

int buffer[SIZE];
int fill = 0;
int use = 0;
int loops = 0;

sem_t empty;
sem_t full;
sem_t mutex;

void do_fill(int value) {
  buffer[fill] = value;
  fill++;
  if (fill == SIZE)
    fill = 0;
}

int do_get(void) {
  int tmp = buffer[use];
  use++;
  if (use == SIZE)
    use = 0;
  return tmp;
}

void *producer(void *arg) {
  int i;
  for (i = 0; i < loops; i++) {
    Sem_wait(&empty);
    Sem_wait(&mutex);
    do_fill(i);
    Sem_post(&mutex);
    Sem_post(&full);
  }
  // One end marker.
  Sem_wait(&empty);
  Sem_wait(&mutex);
  do_fill(-1);
  Sem_post(&mutex);
  Sem_post(&full);
  return NULL;
}

void *consumer(void *arg) {
  int tmp = 0, expected = 0;
  while (tmp != -1) {
    Sem_wait(&full);
    Sem_wait(&mutex);
    tmp = do_get();
    Sem_post(&mutex);
    Sem_post(&empty);
    printf("%lld %d\n", (long long int)arg, tmp);
    if (tmp != -1) {
      assert(tmp == expected);
      expected++;
    }
  }
  assert(expected == loops);
  return NULL;
}

int main(int argc, char *argv[]) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s <loops> <consumers>\n", argv[0]);
    exit(1);
  }
  loops = atoi(argv[1]);
  int consumers = atoi(argv[2]);
  assert(consumers == 1);

  Sem_init(&empty, 0, SIZE);
  Sem_init(&full, 0, 0);
  Sem_init(&mutex, 0, 1);

  pthread_t pid, cid;
  Pthread_create(&pid, NULL, producer, NULL);
  Pthread_create(&cid, NULL, consumer, (void *)(long long int)0);
  Pthread_join(pid, NULL);
  Pthread_join(cid, NULL);
  return 0;
}
