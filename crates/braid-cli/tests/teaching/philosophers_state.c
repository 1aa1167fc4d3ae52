// Dining philosophers with a state for each, one lock and a condition variable for each. Usage: dining <philosophers>
// expect: safe
// options: --args "dining 3"
#include <string.h>
#include "common.h"
#include "common_threads.h"

#define MOST 5

enum state { THINKING, HUNGRY, EATING };

int n;
enum state state[MOST];
pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t may_eat[MOST];

int left(int i) { return (i + n - 1) % n; }
int right(int i) { return (i + 1) % n; }

void test(int i) {
  if (state[i] == HUNGRY && state[left(i)] != EATING && state[right(i)] != EATING) {
    state[i] = EATING;
    Pthread_cond_signal(&may_eat[i]);
  }
}

void pick_up(int i) {
  Pthread_mutex_lock(&table);
  state[i] = HUNGRY;
  test(i);
  while (state[i] != EATING)
    Pthread_cond_wait(&may_eat[i], &table);
  Pthread_mutex_unlock(&table);
}

void put_down(int i) {
  Pthread_mutex_lock(&table);
  state[i] = THINKING;
  test(left(i));
  test(right(i));
  Pthread_mutex_unlock(&table);
}

void *philosopher(void *arg) {
  int i = *(int *)arg;
  pick_up(i);
  printf("philosopher %d eats\n", i);
  assert(state[i] == EATING);
  assert(state[left(i)] != EATING);
  assert(state[right(i)] != EATING);
  put_down(i);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t threads[MOST];
  int ids[MOST];
  if (argc < 2 || strcmp(argv[1], "-h") == 0) {
    fprintf(stderr, "usage: %s philosophers\n", argv[0]);
    return 1;
  }
  n = atoi(argv[1]);
  if (n < 2 || n > MOST) {
    fprintf(stderr, "%s: 2 to %d philosophers\n", argv[0], MOST);
    return 1;
  }
  for (int i = 0; i < n; i++)
    Pthread_cond_init(&may_eat[i], NULL);
  for (int i = 0; i < n; i++) {
    ids[i] = i;
    Pthread_create(&threads[i], NULL, philosopher, &ids[i]);
  }
  for (int i = 0; i < n; i++)
    Pthread_join(threads[i], NULL);
  return 0;
}
