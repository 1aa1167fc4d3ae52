// property: valid-deref
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
struct object { atomic_int count; int v; } *o;
void put(void) {
#ifdef BUG
  atomic_fetch_sub(&o->count, 1);
  if (atomic_load(&o->count) == 0) free(o);
#else
  if (atomic_fetch_sub(&o->count, 1) == 1) free(o);
#endif
}
void *user(void *arg) {
  put();
  return 0;
}
int main(void) {
  pthread_t a, b;
  o = malloc(sizeof *o);
  atomic_init(&o->count, 2);
  pthread_create(&a, 0, user, 0);
  pthread_create(&b, 0, user, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
