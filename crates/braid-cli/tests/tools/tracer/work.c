#include <pthread.h>
#include <stdlib.h>
#include "trace.h"
#include "work.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_job;
static int job_count;
static long results[MAX_JOBS];

int work_init(int jobs) {
  if (jobs < 1 || jobs > MAX_JOBS)
    return -1;
  pthread_mutex_lock(&lock);
  job_count = jobs;
  next_job = 0;
  for (int i = 0; i < jobs; i++)
    results[i] = -1;
  pthread_mutex_unlock(&lock);
  return 0;
}

int work_next(int *job) {
  int rc = 0;
  TRACE_ENTER(TRACE_UNIT_QUEUE);
  pthread_mutex_lock(&lock);
  if (next_job < job_count) {
    *job = next_job++;
    rc = 1;
  }
  pthread_mutex_unlock(&lock);
  TRACE_LEAVE(TRACE_UNIT_QUEUE);
  return rc;
}

void work_result(int job, long value) {
  pthread_mutex_lock(&lock);
  results[job] = value;
  pthread_mutex_unlock(&lock);
}

long work_sum(void) {
  long sum = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < job_count; i++)
    if (results[i] >= 0)
      sum += results[i];
  pthread_mutex_unlock(&lock);
  return sum;
}

int work_left(void) {
  pthread_mutex_lock(&lock);
  int n = job_count - next_job;
  pthread_mutex_unlock(&lock);
  return n;
}
