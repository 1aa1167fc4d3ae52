// Semaphores made of a lock and a condition variable, used to let at most two threads in.
// expect: safe
#include "common.h"
#include "common_threads.h"

typedef struct __Zem_t {
  int value;
  pthread_cond_t cond;
  pthread_mutex_t lock;
} Zem_t;

void Zem_init(Zem_t *z, int value) {
  z->value = value;
  Pthread_cond_init(&z->cond, NULL);
  Pthread_mutex_init(&z->lock, NULL);
}

void Zem_wait(Zem_t *z) {
  Pthread_mutex_lock(&z->lock);
  while (z->value <= 0)
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

Zem_t room;
int inside = 0;

void *visitor(void *arg) {
  Zem_wait(&room);
  int now = __sync_add_and_fetch(&inside, 1);
  assert(now <= 2);
  printf("%s is inside, %d in all\n", (char *)arg, now);
  __sync_sub_and_fetch(&inside, 1);
  Zem_post(&room);
  return NULL;
}

int main(int argc, char *argv[]) {
  char *names[] = {"Ada", "Bob", "Eve"};
  pthread_t t[3];
  Zem_init(&room, 2);
  for (int i = 0; i < 3; i++)
    Pthread_create(&t[i], NULL, visitor, names[i]);
  for (int i = 0; i < 3; i++)
    Pthread_join(t[i], NULL);
  assert(room.value == 2 && inside == 0);
  return 0;
}
