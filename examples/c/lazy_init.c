// A cache that the first user sets up.
//
// The bug: two users can both find it missing, and both set it up: one of the blocks is lost. `pthread_once` runs the
// set-up once, and lets everybody else wait for it.
// expect: safe
// expect -D BUG: unsafe (no-data-race, valid-memtrack)
#include <pthread.h>
#include <stdlib.h>

static int *cache;

static void set_up(void) {
  cache = malloc(sizeof *cache);
  *cache = 42;
}

#ifdef BUG
static int lookup(void) {
  if (cache == NULL) set_up();
  return *cache;
}
#else
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int lookup(void) {
  pthread_once(&once, set_up);
  return *cache;
}
#endif

static void *user(void *result) {
  *(int *)result = lookup();
  return NULL;
}

int main(void) {
  pthread_t first, second;
  int results[2];
  pthread_create(&first, NULL, user, &results[0]);
  pthread_create(&second, NULL, user, &results[1]);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  free(cache);
  return results[0] == results[1] ? 0 : 1;
}
