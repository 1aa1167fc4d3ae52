// property: valid-memtrack
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *head, *tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void put(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = NULL;
  pthread_mutex_lock(&lock);
  if (tail) tail->next = n;
#ifdef BUG
  head = n;
#else
  else head = n;
#endif
  tail = n;
  pthread_mutex_unlock(&lock);
}
static void *worker(void *arg) { put(1); put(2); return NULL; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
