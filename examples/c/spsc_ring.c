// A ring buffer without locks, for one producer and one consumer.
//
// The bug: the producer says that the slot is full before it has written to it.
// expect: safe
// expect -D BUG: unsafe (unreach-call, no-data-race)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define SLOTS 2
#define ITEMS 3

static int slots[SLOTS];
static atomic_uint written, taken; // how many items were written and taken, ever

static bool try_put(int item) {
  unsigned w = atomic_load(&written);
  if (w - atomic_load(&taken) == SLOTS) return false; // full
#ifdef BUG
  atomic_store(&written, w + 1);
  slots[w % SLOTS] = item;
#else
  slots[w % SLOTS] = item;
  atomic_store(&written, w + 1);
#endif
  return true;
}

static bool try_take(int *item) {
  unsigned t = atomic_load(&taken);
  if (t == atomic_load(&written)) return false; // empty
  *item = slots[t % SLOTS];
  atomic_store(&taken, t + 1);
  return true;
}

static void *producer(void *unused) {
  (void)unused;
  for (int i = 1; i <= ITEMS; i++) {
    while (!try_put(i)) {
    }
  }
  return NULL;
}

static void *consumer(void *unused) {
  (void)unused;
  for (int i = 1; i <= ITEMS; i++) {
    int item;
    while (!try_take(&item)) {
    }
    assert(item == i);
  }
  return NULL;
}

int main(void) {
  pthread_t p, c;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, NULL);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  return 0;
}
