// A sequence lock: readers take no lock, and look again if somebody was writing meanwhile.
//
// The bug: a reader looks at the number only before it reads, so it can see half of a write.
// expect: safe
// expect -D BUG: unsafe (unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence; // odd while somebody writes
static atomic_int hours, minutes;

static void set_clock(int h, int m) {
  atomic_fetch_add(&sequence, 1);
  atomic_store(&hours, h);
  atomic_store(&minutes, m);
  atomic_fetch_add(&sequence, 1);
}

static void read_clock(int *h, int *m) {
  unsigned before;
  do {
    while ((before = atomic_load(&sequence)) % 2 == 1) {
    }
    *h = atomic_load(&hours);
    *m = atomic_load(&minutes);
#ifdef BUG
  } while (0);
#else
  } while (atomic_load(&sequence) != before);
#endif
}

static void *writer(void *unused) {
  (void)unused;
  set_clock(12, 30);
  return NULL;
}

static void *reader(void *unused) {
  (void)unused;
  int h, m;
  read_clock(&h, &m);
  assert((h == 0 && m == 0) || (h == 12 && m == 30));
  return NULL;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, NULL);
  pthread_join(w, NULL);
  pthread_join(r, NULL);
  return 0;
}
