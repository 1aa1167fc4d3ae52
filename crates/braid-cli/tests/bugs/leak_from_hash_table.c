// property: valid-memtrack
#include <pthread.h>
#include <stdlib.h>
enum { SIZE = 4 };
struct entry { int key, value; struct entry *next; };
static struct { struct entry *buckets[SIZE]; pthread_mutex_t lock; } table = { .lock = PTHREAD_MUTEX_INITIALIZER };
static void put(int key, int value) {
  struct entry **bucket = &table.buckets[key % SIZE], *e;
  pthread_mutex_lock(&table.lock);
  for (e = *bucket; e && e->key != key; e = e->next);
  if (!e) {
    e = malloc(sizeof *e);
    e->key = key;
#ifdef BUG
    e->next = NULL;
#else
    e->next = *bucket;
#endif
    *bucket = e;
  }
  e->value = value;
  pthread_mutex_unlock(&table.lock);
}
static void *other(void *arg) { put(1, 11); put(2, 20); return NULL; }
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  put(1, 10);
  put(5, 50);
  pthread_join(t, NULL);
}
