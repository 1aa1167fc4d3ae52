// Arguments of library functions have their effects, once.
// expect: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

pthread_cond_t conditions[3];
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int calls;
pthread_mutex_t *the_mutex(void) { calls++; return &mutex; }
sem_t semaphores[2];
pthread_t threads[2];
void *same(void *argument) { return argument; }
char bytes[8];

int main(void) {
  int i = 0;
  pthread_cond_init(&conditions[i++], 0);
  pthread_cond_signal(&conditions[i++]);
  pthread_cond_broadcast(&conditions[i++]);
  assert(i == 3);
  pthread_mutex_lock(the_mutex());
  pthread_mutex_unlock(the_mutex());
  pthread_mutex_destroy(the_mutex());
  assert(calls == 3);
  i = 0;
  sem_init(&semaphores[i++], 0, 1);
  sem_wait(&semaphores[--i]);
  sem_destroy(&semaphores[i++]);
  assert(i == 1);
  void *result;
  pthread_create(&threads[i--], 0, same, bytes);
  pthread_create(&threads[i++], 0, same, &i);
  pthread_join(threads[i--], &result);
  assert(i == 0 && result == bytes);
  pthread_join(threads[i++], &result);
  assert(i == 1 && result == &i);
  char *p = bytes;
  assert(memset(p++, 1, 2) == bytes && p == bytes + 1 && bytes[1] == 1 && bytes[2] == 0);
  assert(strcpy(p++, "ab") == bytes + 1 && p == bytes + 2 && bytes[2] == 'b');
  assert(strlen(p++) == 1 && p == bytes + 3);
}
