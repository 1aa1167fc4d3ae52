// Three philosophers, three forks. A philosopher needs the fork on the left and the one on the right to eat.
//
// The bug: all take the left fork first. If all have one, all wait for ever. It is enough that one of them is left-handed.
// expect: safe
// expect -D BUG: unsafe (no-deadlock)
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t forks[SEATS] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};
static int used[SEATS]; // how often each fork was used

static void eat(int first, int second) {
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  used[first]++;
  used[second]++;
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
}

static void *plato(void *unused) {
  (void)unused;
  eat(0, 1);
  return NULL;
}

static void *hypatia(void *unused) {
  (void)unused;
  eat(1, 2);
  return NULL;
}

static void *kant(void *unused) {
  (void)unused;
#ifdef BUG
  eat(2, 0);
#else
  eat(0, 2);
#endif
  return NULL;
}

int main(void) {
  pthread_t p, h, k;
  pthread_create(&p, NULL, plato, NULL);
  pthread_create(&h, NULL, hypatia, NULL);
  pthread_create(&k, NULL, kant, NULL);
  pthread_join(p, NULL);
  pthread_join(h, NULL);
  pthread_join(k, NULL);
  return 0;
}
