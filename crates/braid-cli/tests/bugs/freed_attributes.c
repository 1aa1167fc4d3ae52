// property: valid-deref
// Attributes are read when a thread starts.
#include <pthread.h>
#include <stdlib.h>
static void *run(void *unused) { return 0; }
int main(void) {
  pthread_t t;
  pthread_attr_t *attributes = malloc(sizeof *attributes);
  pthread_attr_init(attributes);
#ifdef BUG
  free(attributes);
#endif
  pthread_create(&t, attributes, run, 0);
#ifndef BUG
  free(attributes);
#endif
  pthread_join(t, 0);
  return 0;
}
