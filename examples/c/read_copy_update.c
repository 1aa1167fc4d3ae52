// A configuration that is read often and changed seldom, in the style of read-copy-update: readers take no lock, the
// writer publishes a new copy, waits until no reader can have the old one any more, and frees it.
//
// The bug: the writer does not wait. A reader still looks at the old copy while it is freed.
// expect: safe
// expect -D BUG: unsafe (valid-deref, no-data-race)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
  int width, height;
} config;

static _Atomic(config *) current;
static atomic_int readers; // how many threads are reading at the moment

static config *make_config(int size) {
  config *c = malloc(sizeof *c);
  c->width = size;
  c->height = size;
  return c;
}

static void *reader(void *unused) {
  (void)unused;
  atomic_fetch_add(&readers, 1);
  config *c = atomic_load(&current);
  assert(c->width == c->height); // always one whole version
  atomic_fetch_sub(&readers, 1);
  return NULL;
}

static void *writer(void *unused) {
  (void)unused;
  config *old = atomic_exchange(&current, make_config(20));
#ifndef BUG
  while (atomic_load(&readers) != 0) { // the grace period
  }
#endif
  free(old);
  return NULL;
}

int main(void) {
  atomic_store(&current, make_config(10));
  pthread_t r, w;
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&w, NULL, writer, NULL);
  pthread_join(r, NULL);
  pthread_join(w, NULL);
  free(atomic_load(&current));
  return 0;
}
