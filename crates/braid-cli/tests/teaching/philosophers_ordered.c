// Dining philosophers who all take the lower fork first: no deadlock, and no fork in two hands. Usage: dining <rounds>
// expect: safe
// options: --args "dining 1"
#include <unistd.h>
#include "common.h"
#include "common_threads.h"

#define PHILOSOPHERS 3

typedef struct {
  int id;
  int rounds;
} arg_t;

pthread_mutex_t forks[PHILOSOPHERS];
int holder[PHILOSOPHERS];
int meals[PHILOSOPHERS];

int left(int p) { return p; }
int right(int p) { return (p + 1) % PHILOSOPHERS; }
int min(int a, int b) { return a < b ? a : b; }
int max(int a, int b) { return a > b ? a : b; }

void get_forks(int p) {
  Pthread_mutex_lock(&forks[min(left(p), right(p))]);
  Pthread_mutex_lock(&forks[max(left(p), right(p))]);
  holder[left(p)] = p;
  holder[right(p)] = p;
}

void put_forks(int p) {
  Pthread_mutex_unlock(&forks[left(p)]);
  Pthread_mutex_unlock(&forks[right(p)]);
}

void eat(int p) {
  usleep(10);
  assert(holder[left(p)] == p);
  assert(holder[right(p)] == p);
  meals[p]++;
}

void *philosopher(void *arg) {
  arg_t *args = (arg_t *)arg;
  for (int i = 0; i < args->rounds; i++) {
    printf("%d thinks\n", args->id);
    get_forks(args->id);
    eat(args->id);
    put_forks(args->id);
  }
  return NULL;
}

int main(int argc, char *argv[]) {
  if (argc != 2) {
    fprintf(stderr, "usage: dining <rounds>\n");
    exit(1);
  }
  int rounds = atoi(argv[1]);
  pthread_t p[PHILOSOPHERS];
  arg_t a[PHILOSOPHERS];
  for (int i = 0; i < PHILOSOPHERS; i++)
    Pthread_mutex_init(&forks[i], NULL);
  for (int i = 0; i < PHILOSOPHERS; i++) {
    a[i].id = i;
    a[i].rounds = rounds;
    Pthread_create(&p[i], NULL, philosopher, &a[i]);
  }
  for (int i = 0; i < PHILOSOPHERS; i++)
    Pthread_join(p[i], NULL);
  for (int i = 0; i < PHILOSOPHERS; i++)
    assert(meals[i] == rounds);
  printf("dining: finished\n");
  return 0;
}
