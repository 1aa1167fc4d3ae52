// A barrier of mutex and condition variable that can be used again and again: generations keep the rounds apart. Usage: barrier <threads> <rounds>
// expect: safe
// options: --args "barrier 3 2"
#include "common.h"
#include "common_threads.h"

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t turn;
  int threads;
  int arrived;
  int generation;
} barrier_t;

barrier_t b;
int rounds;
int reached[4];

void barrier_init(barrier_t *b, int threads) {
  Pthread_mutex_init(&b->lock, NULL);
  Pthread_cond_init(&b->turn, NULL);
  b->threads = threads;
  b->arrived = 0;
  b->generation = 0;
}

void barrier(barrier_t *b) {
  Pthread_mutex_lock(&b->lock);
  int mine = b->generation;
  b->arrived++;
  if (b->arrived == b->threads) {
    b->arrived = 0;
    b->generation++;
    Pthread_cond_broadcast(&b->turn);
  } else {
    while (mine == b->generation)
      Pthread_cond_wait(&b->turn, &b->lock);
  }
  Pthread_mutex_unlock(&b->lock);
}

void *worker(void *arg) {
  int id = (int)(long)arg;
  for (int r = 1; r <= rounds; r++) {
    reached[id] = r;
    barrier(&b);
    // Nobody is a round behind.
    for (int other = 0; other < b.threads; other++)
      assert(reached[other] >= r);
  }
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[4];
  if (argc != 3) {
    fprintf(stderr, "usage: %s threads rounds\n", argv[0]);
    exit(1);
  }
  int threads = atoi(argv[1]);
  rounds = atoi(argv[2]);
  if (threads > 4)
    threads = 4;
  barrier_init(&b, threads);
  for (long i = 0; i < threads; i++)
    Pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < threads; i++)
    Pthread_join(t[i], NULL);
  return 0;
}
