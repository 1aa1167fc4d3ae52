// Lazy initialisation with a check before the lock, and a second one under it.
//
// The bug: the pointer is a plain one. It is read without the lock, so a thread can see it while another one is writing
// it. With an atomic pointer, who sees it also sees what it points to.
// expect: safe
// expect -D BUG: unsafe (no-data-race)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
  int limit;
} settings;

#ifdef BUG
static settings *instance;
#else
static _Atomic(settings *) instance;
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static settings *get_settings(void) {
  settings *s = instance;
  if (s == NULL) {
    pthread_mutex_lock(&lock);
    s = instance;
    if (s == NULL) {
      s = malloc(sizeof *s);
      s->limit = 100;
      instance = s;
    }
    pthread_mutex_unlock(&lock);
  }
  return s;
}

static void *user(void *unused) {
  (void)unused;
  assert(get_settings()->limit == 100);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, user, NULL);
  pthread_create(&second, NULL, user, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  free(instance);
  return 0;
}
