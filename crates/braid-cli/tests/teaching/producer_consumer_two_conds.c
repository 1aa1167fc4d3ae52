// A bounded buffer with two condition variables: several producers and consumers. Usage: pc <items per producer>
// expect: safe
// options: --args "pc 2"
#include "common.h"
#include "common_threads.h"

#define MAX 2

int buffer[MAX];
int fill_ptr = 0;
int use_ptr = 0;
int count = 0;
int items;
int sum = 0;

pthread_cond_t empty = PTHREAD_COND_INITIALIZER, fill = PTHREAD_COND_INITIALIZER;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void put(int value) {
  assert(count < MAX);
  buffer[fill_ptr] = value;
  fill_ptr = (fill_ptr + 1) % MAX;
  count++;
}

int get(void) {
  assert(count > 0);
  int tmp = buffer[use_ptr];
  use_ptr = (use_ptr + 1) % MAX;
  count--;
  return tmp;
}

void *producer(void *arg) {
  for (int i = 1; i <= items; i++) {
    Pthread_mutex_lock(&mutex);
    while (count == MAX)
      Pthread_cond_wait(&empty, &mutex);
    put(i);
    Pthread_cond_signal(&fill);
    Pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

void *consumer(void *arg) {
  for (int i = 1; i <= items; i++) {
    Pthread_mutex_lock(&mutex);
    while (count == 0)
      Pthread_cond_wait(&fill, &mutex);
    int value = get();
    sum += value;
    Pthread_cond_signal(&empty);
    Pthread_mutex_unlock(&mutex);
    printf("%s: %d\n", (char *)arg, value);
  }
  return NULL;
}

int main(int argc, char *argv[]) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s items\n", argv[0]);
    exit(1);
  }
  items = atoi(argv[1]);
  pthread_t p1, p2, c1, c2;
  Pthread_create(&p1, NULL, producer, NULL);
  Pthread_create(&p2, NULL, producer, NULL);
  Pthread_create(&c1, NULL, consumer, "consumer 1");
  Pthread_create(&c2, NULL, consumer, "consumer 2");
  Pthread_join(p1, NULL);
  Pthread_join(p2, NULL);
  Pthread_join(c1, NULL);
  Pthread_join(c2, NULL);
  assert(count == 0);
  assert(sum == items * (items + 1));
  return 0;
}
