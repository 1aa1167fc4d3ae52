// Lazy initialisation that looks and then acts: two threads can both find nothing there.
// expect: unsafe
#include "common.h"
#include "common_threads.h"

struct config {
  int verbose;
  int uses;
};

struct config *config = NULL;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct config *get_config(void) {
  if (config == NULL) {
    struct config *c = Malloc(sizeof(struct config));
    c->verbose = 0;
    c->uses = 0;
    config = c;
  }
  return config;
}

void *worker(void *arg) {
  struct config *c = get_config();
  Pthread_mutex_lock(&lock);
  c->uses++;
  Pthread_mutex_unlock(&lock);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t a, b;
  Pthread_create(&a, NULL, worker, NULL);
  Pthread_create(&b, NULL, worker, NULL);
  Pthread_join(a, NULL);
  Pthread_join(b, NULL);
  printf("%d uses\n", config->uses);
  assert(config->uses == 2);
  return 0;
}
