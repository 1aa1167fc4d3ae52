// A sorted list with a lock for each node: who walks along takes the next lock before letting go of the last.
// expect: safe
#include <limits.h>
#include "common.h"
#include "common_threads.h"

typedef struct node {
  int key;
  struct node *next;
  pthread_mutex_t lock;
} node_t;

node_t *head;

node_t *new_node(int key, node_t *next) {
  node_t *n = Malloc(sizeof(node_t));
  n->key = key;
  n->next = next;
  Pthread_mutex_init(&n->lock, NULL);
  return n;
}

void insert(int key) {
  node_t *prev = head;
  Pthread_mutex_lock(&prev->lock);
  node_t *curr = prev->next;
  Pthread_mutex_lock(&curr->lock);
  while (curr->key < key) {
    Pthread_mutex_unlock(&prev->lock);
    prev = curr;
    curr = curr->next;
    Pthread_mutex_lock(&curr->lock);
  }
  prev->next = new_node(key, curr);
  Pthread_mutex_unlock(&curr->lock);
  Pthread_mutex_unlock(&prev->lock);
}

void *worker(void *arg) {
  insert((int)(long)arg);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t a, b;
  int count = 0;
  head = new_node(INT_MIN, new_node(INT_MAX, NULL));
  Pthread_create(&a, NULL, worker, (void *)5);
  Pthread_create(&b, NULL, worker, (void *)3);
  Pthread_join(a, NULL);
  Pthread_join(b, NULL);
  for (node_t *n = head; n->next != NULL; n = n->next) {
    assert(n->key <= n->next->key);
    count++;
  }
  printf("%d keys in order\n", count - 1);
  assert(count == 3);
  return 0;
}
