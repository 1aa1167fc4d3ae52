// A queue whose dequeue looks at the head before it takes the lock: one value can be taken twice.
// expect: unsafe
#include "common.h"
#include "common_threads.h"

#define SIZE 4

struct queue {
  int items[SIZE];
  int head, tail;
  pthread_mutex_t lock;
} q;

int taken[3];

void enqueue(int value) {
  Pthread_mutex_lock(&q.lock);
  q.items[q.tail++ % SIZE] = value;
  Pthread_mutex_unlock(&q.lock);
}

int dequeue(void) {
  int pos = q.head;
  if (pos == q.tail)
    return 0;
  Pthread_mutex_lock(&q.lock);
  int value = q.items[pos % SIZE];
  q.head = pos + 1;
  Pthread_mutex_unlock(&q.lock);
  return value;
}

void *consumer(void *arg) {
  int value;
  while ((value = dequeue()) != 0) {
    printf("%s got %d\n", (const char *)arg, value);
    __sync_fetch_and_add(&taken[value], 1);
  }
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t a, b;
  Pthread_mutex_init(&q.lock, NULL);
  enqueue(1);
  enqueue(2);
  Pthread_create(&a, NULL, consumer, "A");
  Pthread_create(&b, NULL, consumer, "B");
  Pthread_join(a, NULL);
  Pthread_join(b, NULL);
  assert(taken[1] == 1 && taken[2] == 1);
  return 0;
}
