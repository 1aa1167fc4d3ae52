// A linked list without a lock: one of two insertions at the same time gets lost.
// expect: unsafe
#include "common.h"
#include "common_threads.h"

typedef struct __node_t {
  int key;
  struct __node_t *next;
} node_t;

node_t *head = NULL;

int list_insert(int key) {
  node_t *node = malloc(sizeof(node_t));
  if (node == NULL) {
    perror("malloc");
    return -1;
  }
  node->key = key;
  node->next = head;
  head = node;
  return 0;
}

int list_length(void) {
  int n = 0;
  for (node_t *p = head; p != NULL; p = p->next)
    n++;
  return n;
}

void *worker(void *arg) {
  long first = (long)arg;
  list_insert(first);
  list_insert(first + 1);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t a, b;
  Pthread_create(&a, NULL, worker, (void *)10);
  Pthread_create(&b, NULL, worker, (void *)20);
  Pthread_join(a, NULL);
  Pthread_join(b, NULL);
  printf("%d nodes\n", list_length());
  assert(list_length() == 4);
  return 0;
}
