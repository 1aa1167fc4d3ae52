// A hash table that grew: the lock is chosen by another number than the bucket.
// expect: unsafe
#include "common.h"
#include "common_threads.h"

#define BUCKETS 2
#define LOCKS 3

int count[BUCKETS];
pthread_mutex_t locks[LOCKS];

void insert(unsigned key) {
  pthread_mutex_t *lock = &locks[key % LOCKS]; // should be one lock for all keys of a bucket
  Pthread_mutex_lock(lock);
  count[key % BUCKETS]++;
  Pthread_mutex_unlock(lock);
}

void *worker(void *arg) {
  unsigned *keys = arg;
  for (int i = 0; i < 2; i++)
    insert(keys[i]);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[2];
  unsigned keys[2][2] = {{1, 2}, {3, 4}};
  for (int i = 0; i < LOCKS; i++)
    Pthread_mutex_init(&locks[i], NULL);
  for (int i = 0; i < 2; i++)
    Pthread_create(&t[i], NULL, worker, keys[i]);
  for (int i = 0; i < 2; i++)
    Pthread_join(t[i], NULL);
  printf("%d and %d entries\n", count[0], count[1]);
  assert(count[0] == 2 && count[1] == 2);
  return 0;
}
