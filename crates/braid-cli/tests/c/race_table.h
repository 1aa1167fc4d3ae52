/* A table that any number of threads search under a lock for readers, and that some write. */
#include <pthread.h>
#include <stdlib.h>
enum { SIZE = 12 };
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int keys[SIZE], values[SIZE], used;
static int find(int key) {
  for (int i = 0; i < used; i++)
    if (keys[i] == key)
      return i;
  return -1;
}
static int get(int key) {
  pthread_rwlock_rdlock(&lock);
  int at = find(key), value = at < 0 ? 0 : values[at];
  pthread_rwlock_unlock(&lock);
  return value;
}
static void put(int key, int value) {
  LOCK_TO_WRITE(&lock);
  int at = find(key);
  if (at < 0 && used < SIZE) {
    at = used++;
    keys[at] = key;
  }
  if (at >= 0)
    values[at] = value;
  pthread_rwlock_unlock(&lock);
}
static void *run(void *arg) {
  while (rand() % 2) {
    int key = rand() % 100;
    put(key, get(key) + 1);
  }
  return NULL;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, run, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return used > SIZE;
}
