// A pool of threads that goes home as soon as it is told to, with jobs left in the queue.
// expect: unsafe
#include "common.h"
#include "common_threads.h"

#define JOBS 3

int queue[JOBS];
int head = 0, tail = 0;
int shutting_down = 0;
int completed = 0;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

void *worker(void *arg) {
  while (1) {
    Pthread_mutex_lock(&lock);
    while (head == tail && !shutting_down)
      Pthread_cond_wait(&not_empty, &lock);
    if (shutting_down) {
      Pthread_mutex_unlock(&lock);
      break;
    }
    int job = queue[head++];
    Pthread_mutex_unlock(&lock);
    printf("job %d\n", job);
    Pthread_mutex_lock(&lock);
    completed++;
    Pthread_mutex_unlock(&lock);
  }
  pthread_exit(NULL);
}

int main(int argc, char *argv[]) {
  pthread_t t[2];
  int i;
  for (i = 0; i < 2; i++)
    Pthread_create(&t[i], NULL, worker, NULL);
  for (i = 0; i < JOBS; i++) {
    Pthread_mutex_lock(&lock);
    queue[tail++] = i;
    Pthread_cond_signal(&not_empty);
    Pthread_mutex_unlock(&lock);
  }
  Pthread_mutex_lock(&lock);
  shutting_down = 1;
  Pthread_cond_broadcast(&not_empty);
  Pthread_mutex_unlock(&lock);
  for (i = 0; i < 2; i++)
    Pthread_join(t[i], NULL);
  assert(completed == JOBS);
  return 0;
}
