// A queue of fixed size that threads share. Third version: looking and putting are one critical section.
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SIZE 2

static int items[SIZE];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool put(int item) {
  pthread_mutex_lock(&lock);
  bool fits = count < SIZE;
  if (fits) {
    items[count] = item;
    count++;
  }
  pthread_mutex_unlock(&lock);
  return fits;
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
