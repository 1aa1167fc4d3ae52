// A pool of threads takes jobs from a queue until it is closed and empty. Usage: pool <workers> <jobs>
// expect: safe
// options: --args "pool 2 3"
#include "common.h"
#include "common_threads.h"

#define CAPACITY 8

typedef struct {
  void (*run)(int);
  int arg;
} job_t;

typedef struct {
  job_t jobs[CAPACITY];
  int first, count;
  int closed;
  pthread_mutex_t lock;
  pthread_cond_t changed;
} pool_t;

pool_t pool;
int done[CAPACITY];

void square(int n) { done[n] += n * n; }
void twice(int n) { done[n] += 2 * n; }

void submit(pool_t *p, void (*run)(int), int arg) {
  Pthread_mutex_lock(&p->lock);
  assert(p->count < CAPACITY);
  job_t *job = &p->jobs[(p->first + p->count) % CAPACITY];
  job->run = run;
  job->arg = arg;
  p->count++;
  Pthread_cond_signal(&p->changed);
  Pthread_mutex_unlock(&p->lock);
}

void *worker(void *arg) {
  pool_t *p = arg;
  for (;;) {
    Pthread_mutex_lock(&p->lock);
    while (p->count == 0 && !p->closed)
      Pthread_cond_wait(&p->changed, &p->lock);
    if (p->count == 0) {
      Pthread_mutex_unlock(&p->lock);
      return NULL;
    }
    job_t job = p->jobs[p->first];
    p->first = (p->first + 1) % CAPACITY;
    p->count--;
    Pthread_mutex_unlock(&p->lock);
    job.run(job.arg);
  }
}

int main(int argc, char *argv[]) {
  pthread_t t[4];
  if (argc != 3) {
    fprintf(stderr, "usage: %s workers jobs\n", argv[0]);
    exit(1);
  }
  int workers = atoi(argv[1]), jobs = atoi(argv[2]);
  if (workers > 4 || jobs > CAPACITY)
    exit(1);
  Pthread_mutex_init(&pool.lock, NULL);
  Pthread_cond_init(&pool.changed, NULL);
  for (int i = 0; i < workers; i++)
    Pthread_create(&t[i], NULL, worker, &pool);
  for (int i = 0; i < jobs; i++)
    submit(&pool, i % 2 == 0 ? square : twice, i);
  Pthread_mutex_lock(&pool.lock);
  pool.closed = 1;
  Pthread_cond_broadcast(&pool.changed);
  Pthread_mutex_unlock(&pool.lock);
  for (int i = 0; i < workers; i++)
    Pthread_join(t[i], NULL);
  for (int i = 0; i < jobs; i++) {
    printf("job %d: %d\n", i, done[i]);
    assert(done[i] == (i % 2 == 0 ? i * i : 2 * i));
  }
  return 0;
}
