// A queue of fixed size that threads share. Second version: each access is under a lock.
// expect: unsafe (valid-deref)
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SIZE 2

static int items[SIZE];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_full(void) {
  pthread_mutex_lock(&lock);
  bool full = count == SIZE;
  pthread_mutex_unlock(&lock);
  return full;
}

bool put(int item) {
  if (is_full()) return false;
  pthread_mutex_lock(&lock);
  items[count] = item;
  count++;
  pthread_mutex_unlock(&lock);
  return true;
}

static void *producer(void *unused) {
  (void)unused;
  put(1);
  put(2);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, producer, NULL);
  pthread_create(&b, NULL, producer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(count == SIZE);
  return 0;
}
