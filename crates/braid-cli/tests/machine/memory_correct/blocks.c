// Every block is freed, by whoever comes last.
#include <pthread.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};
static struct node *list;
static int users = 3;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *unused) {
  struct node *node = malloc(sizeof *node);
  pthread_mutex_lock(&lock);
  node->next = list, node->value = users, list = node;
  if (--users == 0)
    while (list) {
      struct node *next = list->next;
      free(list);
      list = next;
    }
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, use, NULL);
  pthread_create(&b, NULL, use, NULL);
  use(NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
