// An approximate counter: local counts go to the global one when they reach the threshold. Usage: sloppy <threshold>
// expect: safe
// options: --args "sloppy 2"
#include "common.h"
#include "common_threads.h"

#define NUMCPUS 2
#define LOOPS 3

typedef struct {
  int global;
  pthread_mutex_t glock;
  int local[NUMCPUS];
  pthread_mutex_t llock[NUMCPUS];
  int threshold;
} counter_t;

counter_t c;

void init(counter_t *c, int threshold) {
  c->threshold = threshold;
  c->global = 0;
  Pthread_mutex_init(&c->glock, NULL);
  for (int i = 0; i < NUMCPUS; i++) {
    c->local[i] = 0;
    Pthread_mutex_init(&c->llock[i], NULL);
  }
}

void update(counter_t *c, int id, int amount) {
  int cpu = id % NUMCPUS;
  Pthread_mutex_lock(&c->llock[cpu]);
  c->local[cpu] += amount;
  if (c->local[cpu] >= c->threshold) {
    Pthread_mutex_lock(&c->glock);
    c->global += c->local[cpu];
    Pthread_mutex_unlock(&c->glock);
    c->local[cpu] = 0;
  }
  Pthread_mutex_unlock(&c->llock[cpu]);
}

int get(counter_t *c) {
  Pthread_mutex_lock(&c->glock);
  int val = c->global;
  Pthread_mutex_unlock(&c->glock);
  return val; // only approximate!
}

void *worker(void *arg) {
  int id = (int)(long)arg;
  for (int i = 0; i < LOOPS; i++)
    update(&c, id, 1);
  return NULL;
}

int main(int argc, char *argv[]) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s threshold\n", argv[0]);
    exit(1);
  }
  pthread_t t[NUMCPUS];
  init(&c, atoi(argv[1]));
  for (long i = 0; i < NUMCPUS; i++)
    Pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < NUMCPUS; i++)
    Pthread_join(t[i], NULL);
  int approximate = get(&c);
  int exact = approximate;
  for (int i = 0; i < NUMCPUS; i++)
    exact += c.local[i];
  printf("approximately %d, exactly %d\n", approximate, exact);
  assert(exact == NUMCPUS * LOOPS);
  assert(exact - approximate < NUMCPUS * c.threshold);
  return 0;
}
