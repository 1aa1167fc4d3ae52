// property: valid-deref
// Who waits may free the condition variable as soon as the mutex is free.
#include <pthread.h>
#include <stdlib.h>
struct job {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  int done;
};
static void *run(void *argument) {
  struct job *job = argument;
  pthread_mutex_lock(&job->mutex);
  job->done = 1;
#ifdef BUG
  pthread_mutex_unlock(&job->mutex);
  pthread_cond_signal(&job->condition);
#else
  pthread_cond_signal(&job->condition);
  pthread_mutex_unlock(&job->mutex);
#endif
  return 0;
}
int main(void) {
  pthread_t t;
  struct job *job = malloc(sizeof *job);
  pthread_mutex_init(&job->mutex, 0);
  pthread_cond_init(&job->condition, 0);
  job->done = 0;
  pthread_create(&t, 0, run, job);
  pthread_mutex_lock(&job->mutex);
  while (!job->done) pthread_cond_wait(&job->condition, &job->mutex);
  pthread_mutex_unlock(&job->mutex);
  free(job);
  pthread_join(t, 0);
  return 0;
}
