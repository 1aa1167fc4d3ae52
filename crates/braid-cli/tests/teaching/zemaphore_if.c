// A semaphore made of a lock and a condition variable that trusts every wake-up.
// expect: unsafe
#include "common.h"
#include "common_threads.h"

typedef struct {
  int value;
  pthread_cond_t cond;
  pthread_mutex_t lock;
} Zem_t;

Zem_t door;
int inside = 0;

void Zem_wait(Zem_t *z) {
  Pthread_mutex_lock(&z->lock);
  if (z->value <= 0)
    Pthread_cond_wait(&z->cond, &z->lock);
  z->value--;
  Pthread_mutex_unlock(&z->lock);
}

void Zem_post(Zem_t *z) {
  Pthread_mutex_lock(&z->lock);
  z->value++;
  Pthread_cond_signal(&z->cond);
  Pthread_mutex_unlock(&z->lock);
}

void *visitor(void *arg) {
  Zem_wait(&door);
  inside++;
  assert(inside == 1);
  inside--;
  Zem_post(&door);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[3];
  door.value = 1;
  Pthread_cond_init(&door.cond, NULL);
  Pthread_mutex_init(&door.lock, NULL);
  for (int i = 0; i < 3; i++)
    Pthread_create(&t[i], NULL, visitor, NULL);
  for (int i = 0; i < 3; i++)
    Pthread_join(t[i], NULL);
  return 0;
}
