// work: some workers, traced.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "trace.h"
#include "work.h"

static void usage(const char *program) {
  fprintf(stderr, "usage: %s [-c config] [-o trace] [-d] workers jobs\n", program);
  exit(2);
}

static long compute(int job) {
  long value = 1;
  TRACE_ENTER(TRACE_UNIT_WORK);
  for (int i = 1; i <= job; i++)
    value = value * 3 % 101;
  if (value > 50)
    TRACE_VALUE(TRACE_UNIT_WORK, TRACE_WARNING, "a large value", value);
  TRACE_LEAVE(TRACE_UNIT_WORK);
  return value;
}

static void *worker(void *arg) {
  char name[12];
  int job, id = *(int *)arg;
  snprintf(name, sizeof(name), "worker %d", id);
  if (trace_add_thread(name) != TRACE_OK)
    fprintf(stderr, "%s is not traced\n", name);
  while (work_next(&job)) {
    TRACE_VALUE(TRACE_UNIT_WORK, TRACE_INFO, "job", job);
    work_result(job, compute(job));
  }
  trace_remove_thread();
  return NULL;
}

// Half of the work is done: less is interesting now.
static void *supervisor(void *arg) {
  int jobs = *(int *)arg;
  for (int i = 0; i < 3; i++) {
    if (work_left() <= jobs / 2) {
      trace_set_level(TRACE_WARNING);
      break;
    }
    usleep(1000);
  }
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t threads[MAX_WORKERS], boss;
  int ids[MAX_WORKERS];
  const char *config = NULL, *file = NULL;
  enum trace_level level = TRACE_INFO;
  int c, workers, jobs, rc;

  while ((c = getopt(argc, argv, "c:o:d")) != -1) {
    switch (c) {
    case 'c':
      config = optarg;
      break;
    case 'o':
      file = optarg;
      break;
    case 'd':
      level = TRACE_DEBUG;
      break;
    default:
      usage(argv[0]);
    }
  }
  if (argc - optind != 2)
    usage(argv[0]);
  workers = atoi(argv[optind]);
  jobs = atoi(argv[optind + 1]);
  if (workers < 1 || workers > MAX_WORKERS || work_init(jobs) < 0)
    usage(argv[0]);
  if (config != NULL && trace_configure(config) != TRACE_OK)
    fprintf(stderr, "%s: %s is not used\n", argv[0], config);
  rc = trace_start(file, level);
  if (rc != TRACE_OK) {
    fprintf(stderr, "%s: no trace (%d)\n", argv[0], rc);
    return 1;
  }
  TRACE_VALUE(TRACE_UNIT_MAIN, TRACE_INFO, "workers", workers);
  for (int i = 0; i < workers; i++) {
    ids[i] = i;
    if (pthread_create(&threads[i], NULL, worker, &ids[i]) != 0) {
      perror("pthread_create");
      exit(1);
    }
  }
  if (pthread_create(&boss, NULL, supervisor, &jobs) != 0) {
    perror("pthread_create");
    exit(1);
  }
  for (int i = 0; i < workers; i++)
    pthread_join(threads[i], NULL);
  pthread_join(boss, NULL);
  printf("sum %ld, %ld message(s), %ld lost\n", work_sum(), trace_count(TRACE_DEBUG), trace_lost());
  if (trace_stop() != TRACE_OK)
    return 1;
  return 0;
}
