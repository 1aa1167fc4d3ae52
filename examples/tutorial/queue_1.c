// A queue of fixed size that threads share. First version: no locks at all.
// expect: unsafe (unreach-call, valid-deref, no-data-race)
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SIZE 2

static int items[SIZE];
static int count;

bool put(int item) {
  if (count == SIZE) return false; // full
  items[count] = item;
  count++;
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
