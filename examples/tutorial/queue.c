// The queue as a library: no `main`, and a function to take items out.
// expect: safe
// options: --threads "put(*)*" --threads "take(*)*" --property unreach-call,valid-deref,no-data-race
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

bool take(int *item) {
  pthread_mutex_lock(&lock);
  bool found = count > 0;
  if (found) {
    count--;
    *item = items[count];
  }
  assert(0 <= count && count <= SIZE);
  pthread_mutex_unlock(&lock);
  return found;
}
