// Producer and consumer with counting semaphores, as textbooks have it.
//
// The bug: the mutex is taken before the semaphore. The consumer waits for an item and keeps the mutex, which the producer
// needs to bring one.
// expect: safe
// expect -D BUG: unsafe (no-deadlock)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define SIZE 2

static int buffer[SIZE], in, out;
static sem_t mutex, items, spaces;

static void put(int value) {
  sem_wait(&spaces);
  sem_wait(&mutex);
  buffer[in] = value;
  in = (in + 1) % SIZE;
  sem_post(&mutex);
  sem_post(&items);
}

static int take(void) {
#ifdef BUG
  sem_wait(&mutex);
  sem_wait(&items);
#else
  sem_wait(&items);
  sem_wait(&mutex);
#endif
  int value = buffer[out];
  out = (out + 1) % SIZE;
  sem_post(&mutex);
  sem_post(&spaces);
  return value;
}

static void *producer(void *unused) {
  (void)unused;
  for (int i = 1; i <= 3; i++) put(i);
  return NULL;
}

static void *consumer(void *unused) {
  (void)unused;
  for (int i = 1; i <= 3; i++) {
    int value = take();
    assert(value == i);
  }
  return NULL;
}

int main(void) {
  sem_init(&mutex, 0, 1);
  sem_init(&items, 0, 0);
  sem_init(&spaces, 0, SIZE);
  pthread_t p, c;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  return 0;
}
