// An object that several threads share. Who lets go of it last frees it.
//
// The bug: the count goes down in one step and is looked at in another. Both threads can see 0 and free, and the
// slower one looks into a block that is gone.
// expect: safe
// expect -D BUG: unsafe (valid-deref, valid-free)
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
  atomic_int references;
  int payload;
} object;

static object *make_object(int payload, int references) {
  object *o = malloc(sizeof *o);
  atomic_init(&o->references, references);
  o->payload = payload;
  return o;
}

static void release(object *o) {
#ifdef BUG
  atomic_fetch_sub(&o->references, 1);
  if (atomic_load(&o->references) == 0) free(o);
#else
  if (atomic_fetch_sub(&o->references, 1) == 1) free(o);
#endif
}

static void *user(void *shared) {
  object *o = shared;
  int copy = o->payload;
  (void)copy;
  release(o);
  return NULL;
}

int main(void) {
  object *o = make_object(7, 2);
  pthread_t first, second;
  pthread_create(&first, NULL, user, o);
  pthread_create(&second, NULL, user, o);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
