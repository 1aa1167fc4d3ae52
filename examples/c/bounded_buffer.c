// A bounded buffer with condition variables: one producer, two consumers.
//
// The bug: `if` instead of `while` before `pthread_cond_wait`. A consumer can wake up although the other one has taken
// the item already, and take one that is not there.
// expect: safe
// expect -D BUG: unsafe (unreach-call)
#include <assert.h>
#include <pthread.h>

#define SIZE 2
#ifdef BUG
#define WAIT_UNTIL if
#else
#define WAIT_UNTIL while
#endif

static int buffer[SIZE];
static int count, first; // how many items there are, and where the oldest one is
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

static void put(int item) {
  pthread_mutex_lock(&lock);
  WAIT_UNTIL (count == SIZE) pthread_cond_wait(&not_full, &lock);
  buffer[(first + count) % SIZE] = item;
  count++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
}

static int take(void) {
  pthread_mutex_lock(&lock);
  WAIT_UNTIL (count == 0) pthread_cond_wait(&not_empty, &lock);
  assert(count > 0);
  int item = buffer[first];
  first = (first + 1) % SIZE;
  count--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&lock);
  return item;
}

static void *producer(void *unused) {
  (void)unused;
  put(1);
  put(2);
  return NULL;
}

static void *consumer(void *unused) {
  (void)unused;
  assert(take() > 0);
  return NULL;
}

int main(void) {
  pthread_t p, c, d;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_create(&d, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  pthread_join(d, NULL);
  return 0;
}
