// A hash table with a lock for each bucket. Usage: hash <key> <key>
// expect: safe
// options: --args "hash 3 5"
#include "common.h"
#include "common_threads.h"

#define BUCKETS 2

typedef struct entry {
  int key, value;
  struct entry *next;
} entry_t;

typedef struct {
  entry_t *chain[BUCKETS];
  pthread_mutex_t lock[BUCKETS];
} hash_t;

hash_t table;

void hash_init(hash_t *h) {
  for (int i = 0; i < BUCKETS; i++) {
    h->chain[i] = NULL;
    Pthread_mutex_init(&h->lock[i], NULL);
  }
}

void hash_put(hash_t *h, int key, int value) {
  int b = key % BUCKETS;
  Pthread_mutex_lock(&h->lock[b]);
  entry_t *e = h->chain[b];
  while (e != NULL && e->key != key)
    e = e->next;
  if (e == NULL) {
    e = Malloc(sizeof(entry_t));
    e->key = key;
    e->next = h->chain[b];
    h->chain[b] = e;
  }
  e->value = value;
  Pthread_mutex_unlock(&h->lock[b]);
}

int hash_get(hash_t *h, int key) {
  int b = key % BUCKETS, value = -1;
  Pthread_mutex_lock(&h->lock[b]);
  for (entry_t *e = h->chain[b]; e != NULL; e = e->next)
    if (e->key == key)
      value = e->value;
  Pthread_mutex_unlock(&h->lock[b]);
  return value;
}

void *worker(void *arg) {
  int key = *(int *)arg;
  hash_put(&table, key, 100 + key);
  assert(hash_get(&table, key) == 100 + key);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t t[2];
  int keys[2], i;
  if (argc != 3) {
    fprintf(stderr, "usage: %s key key\n", argv[0]);
    return EXIT_FAILURE;
  }
  hash_init(&table);
  for (i = 0; i < 2; i++) {
    keys[i] = atoi(argv[i + 1]);
    Pthread_create(&t[i], NULL, worker, &keys[i]);
  }
  for (i = 0; i < 2; i++)
    Pthread_join(t[i], NULL);
  for (i = 0; i < 2; i++)
    assert(hash_get(&table, keys[i]) == 100 + keys[i]);
  return 0;
}
