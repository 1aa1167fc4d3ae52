typedef unsigned long pthread_t;
typedef struct { int kind; int owner; } pthread_mutex_t;
extern int pthread_create(pthread_t *thread, const void *attributes, void *(*start)(void *), void *argument);
extern int pthread_join(pthread_t thread, void **result);
extern int pthread_mutex_lock(pthread_mutex_t *mutex);
extern int pthread_mutex_unlock(pthread_mutex_t *mutex);
extern void abort(void);
extern void *malloc(unsigned long size);
void reach_error() { abort(); }
struct node { int value; struct node *next; };
static struct queue { struct node *first, **last; int length; pthread_mutex_t lock; } queue = { .last = &queue.first };
enum { ITEMS = 3 };
static int sums[2];
static void put(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->next = 0;
  pthread_mutex_lock(&queue.lock);
  *queue.last = node;
  queue.last = &node->next;
  queue.length++;
  pthread_mutex_unlock(&queue.lock);
}
void *producer(void *argument) {
  for (int i = 0; i < ITEMS; ++i) put(i + *(int *)argument);
  return 0;
}
void *consumer() {
  int left = ITEMS * 2;
again:
  while (left > 0) {
    struct node *node = 0;
    pthread_mutex_lock(&queue.lock);
    if (queue.first != 0) {
      node = queue.first;
      queue.first = node->next;
      if (!queue.first) queue.last = &queue.first;
      queue.length -= 1;
    }
    pthread_mutex_unlock(&queue.lock);
    if (!node) goto again;
    switch (node->value) { case 0: case 1 ... 2: sums[0] += node->value; break; default: sums[1] += node->value; }
    left--;
  }
  return (void *)(long)left;
}
int main(void) {
  pthread_t threads[3];
  int offsets[2] = { 0, [1] = 10 };
  void *result;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, producer, &offsets[i]);
  pthread_create(threads + 2, 0, consumer, (void *)0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], &result);
  if (!(sums[0] == 3 && sums[1] == 33)) { ERROR: reach_error(); abort(); }
  return 0;
}
