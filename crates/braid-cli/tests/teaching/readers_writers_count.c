// Readers and writers where nobody guards the number of readers.
// expect: unsafe
#include "common.h"
#include "common_threads.h"

sem_t writelock;
int readers = 0;
int low = 0, high = 0;

void *reader(void *arg) {
  int times = 2;
  while (times-- > 0) {
    readers++;
    if (readers == 1)
      Sem_wait(&writelock);
    assert(low == high);
    readers--;
    if (readers == 0)
      Sem_post(&writelock);
  }
  return NULL;
}

void *writer(void *arg) {
  Sem_wait(&writelock);
  low++;
  high++;
  Sem_post(&writelock);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t r1, r2, w;
  Sem_init(&writelock, 0, 1);
  Pthread_create(&r1, NULL, reader, NULL);
  Pthread_create(&r2, NULL, reader, NULL);
  Pthread_create(&w, NULL, writer, NULL);
  Pthread_join(r1, NULL);
  Pthread_join(r2, NULL);
  Pthread_join(w, NULL);
  printf("%d %d\n", low, high);
  return 0;
}
