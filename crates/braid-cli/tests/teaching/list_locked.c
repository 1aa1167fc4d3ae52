// A linked list with one lock for all of it.
// expect: safe
#include "common.h"
#include "common_threads.h"

typedef struct __node_t {
  int key;
  struct __node_t *next;
} node_t;

typedef struct __list_t {
  node_t *head;
  pthread_mutex_t lock;
} list_t;

list_t list;

void list_init(list_t *l) {
  l->head = NULL;
  Pthread_mutex_init(&l->lock, NULL);
}

void list_insert(list_t *l, int key) {
  node_t *node = Malloc(sizeof(node_t));
  node->key = key;
  Pthread_mutex_lock(&l->lock);
  node->next = l->head;
  l->head = node;
  Pthread_mutex_unlock(&l->lock);
}

int list_lookup(list_t *l, int key) {
  int rv = -1;
  Pthread_mutex_lock(&l->lock);
  node_t *curr = l->head;
  while (curr) {
    if (curr->key == key) {
      rv = 0;
      break;
    }
    curr = curr->next;
  }
  Pthread_mutex_unlock(&l->lock);
  return rv;
}

void list_free(list_t *l) {
  node_t *curr = l->head;
  while (curr != NULL) {
    node_t *next = curr->next;
    free(curr);
    curr = next;
  }
  l->head = NULL;
}

void *worker(void *arg) {
  int key = *(int *)arg;
  list_insert(&list, key);
  assert(list_lookup(&list, key) == 0);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[2];
  int keys[2] = {7, 11};
  list_init(&list);
  for (int i = 0; i < 2; i++)
    Pthread_create(&t[i], NULL, worker, &keys[i]);
  for (int i = 0; i < 2; i++)
    Pthread_join(t[i], NULL);
  assert(list_lookup(&list, 7) == 0);
  assert(list_lookup(&list, 11) == 0);
  assert(list_lookup(&list, 13) == -1);
  list_free(&list);
  return 0;
}
