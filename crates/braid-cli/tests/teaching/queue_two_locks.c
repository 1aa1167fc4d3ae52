// A queue with one lock for its head and one for its tail, and a dummy node between them.
// expect: safe
#include "common.h"
#include "common_threads.h"

typedef struct __node_t {
  int value;
  struct __node_t *next;
} node_t;

typedef struct __queue_t {
  node_t *head;
  node_t *tail;
  pthread_mutex_t head_lock, tail_lock;
} queue_t;

queue_t q;

void queue_init(queue_t *q) {
  node_t *dummy = Malloc(sizeof(node_t));
  dummy->next = NULL;
  q->head = q->tail = dummy;
  Pthread_mutex_init(&q->head_lock, NULL);
  Pthread_mutex_init(&q->tail_lock, NULL);
}

void enqueue(queue_t *q, int value) {
  node_t *node = Malloc(sizeof(node_t));
  node->value = value;
  node->next = NULL;
  Pthread_mutex_lock(&q->tail_lock);
  q->tail->next = node;
  q->tail = node;
  Pthread_mutex_unlock(&q->tail_lock);
}

int dequeue(queue_t *q, int *value) {
  Pthread_mutex_lock(&q->head_lock);
  node_t *old = q->head;
  node_t *new_head = old->next;
  if (new_head == NULL) {
    Pthread_mutex_unlock(&q->head_lock);
    return -1; // empty
  }
  *value = new_head->value;
  q->head = new_head;
  Pthread_mutex_unlock(&q->head_lock);
  free(old);
  return 0;
}

void *producer(void *arg) {
  enqueue(&q, 1);
  enqueue(&q, 2);
  return NULL;
}

void *consumer(void *arg) {
  int v, last = 0, tries;
  for (tries = 0; tries < 3; tries++) {
    if (dequeue(&q, &v) == 0) {
      assert(v == last + 1);
      last = v;
    }
  }
  return (void *)(long)last;
}

int main(int argc, char *argv[]) {
  pthread_t p, c;
  void *result;
  int v;
  queue_init(&q);
  Pthread_create(&p, NULL, producer, NULL);
  Pthread_create(&c, NULL, consumer, NULL);
  Pthread_join(p, NULL);
  Pthread_join(c, &result);
  long got = (long)result;
  while (dequeue(&q, &v) == 0) {
    got++;
    assert(v == got);
  }
  assert(got == 2);
  return 0;
}
