// A spin lock of test-and-set guards a small stack.
// expect: safe
#include "common.h"
#include "common_threads.h"

#define CAPACITY 8

typedef struct {
  int flag;
} spinlock_t;

static int test_and_set(int *ptr, int value) { return __atomic_exchange_n(ptr, value, __ATOMIC_ACQUIRE); }

void spin_init(spinlock_t *l) { l->flag = 0; }
void spin_lock(spinlock_t *l) {
  while (test_and_set(&l->flag, 1) == 1)
    ; // spin
}
void spin_unlock(spinlock_t *l) { __atomic_store_n(&l->flag, 0, __ATOMIC_RELEASE); }

spinlock_t lock;
int stack[CAPACITY];
int top = 0;

void push(int value) {
  spin_lock(&lock);
  assert(top < CAPACITY);
  stack[top] = value;
  top++;
  spin_unlock(&lock);
}

void *worker(void *arg) {
  int *first = (int *)arg;
  push(first[0]);
  push(first[1]);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t a, b;
  int odd[] = {1, 3}, even[] = {2, 4};
  spin_init(&lock);
  Pthread_create(&a, NULL, worker, odd);
  Pthread_create(&b, NULL, worker, even);
  Pthread_join(a, NULL);
  Pthread_join(b, NULL);
  int i, sum = 0;
  for (i = 0; i < top; i++)
    sum += stack[i];
  printf("%d values, sum %d\n", top, sum);
  assert(top == 4 && sum == 10);
  return 0;
}
