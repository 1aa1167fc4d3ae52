// One slot, and the waiting threads do not look again after they wake up.
// expect: unsafe
#include "common.h"
#include "common_threads.h"

int slot;
int full = 0;
int loops = 2;

pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void put(int value) {
  assert(full == 0);
  full = 1;
  slot = value;
}

int get(void) {
  assert(full == 1);
  full = 0;
  return slot;
}

void *producer(void *arg) {
  int i;
  for (i = 0; i < 2 * loops; i++) {
    Pthread_mutex_lock(&mutex);
    if (full == 1)
      Pthread_cond_wait(&cond, &mutex);
    put(i);
    Pthread_cond_signal(&cond);
    Pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

void *consumer(void *arg) {
  int i;
  for (i = 0; i < loops; i++) {
    Pthread_mutex_lock(&mutex);
    if (full == 0)
      Pthread_cond_wait(&cond, &mutex);
    int tmp = get();
    Pthread_cond_signal(&cond);
    Pthread_mutex_unlock(&mutex);
    printf("%d\n", tmp);
  }
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t p, c1, c2;
  Pthread_create(&p, NULL, producer, NULL);
  Pthread_create(&c1, NULL, consumer, NULL);
  Pthread_create(&c2, NULL, consumer, NULL);
  Pthread_join(p, NULL);
  Pthread_join(c1, NULL);
  Pthread_join(c2, NULL);
  return 0;
}
