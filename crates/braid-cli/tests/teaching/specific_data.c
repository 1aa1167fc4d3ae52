// Each thread has its own log in thread-specific data, and a destructor counts what was written.
// expect: safe
#include <string.h>
#include "common.h"
#include "common_threads.h"

#define THREADS 2

typedef struct {
  int lines;
  char prefix[12];
} log_t;

static pthread_key_t key;
static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static int total = 0;

static void close_log(void *value) {
  log_t *log = value;
  Pthread_mutex_lock(&total_lock);
  total += log->lines;
  Pthread_mutex_unlock(&total_lock);
  free(log);
}

void write_log(const char *message) {
  log_t *log = pthread_getspecific(key);
  printf("%s%s\n", log->prefix, message);
  log->lines++;
}

void *worker(void *arg) {
  int id = *(int *)arg, i;
  log_t *log = Malloc(sizeof(log_t));
  log->lines = 0;
  snprintf(log->prefix, sizeof(log->prefix), "[%d] ", id);
  assert(pthread_setspecific(key, log) == 0);
  for (i = 0; i <= id; i++)
    write_log("working");
  assert(log->lines == id + 1);
  assert(strlen(log->prefix) == 4);
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[THREADS];
  int ids[THREADS];
  int rc = pthread_key_create(&key, close_log);
  assert(rc == 0);
  for (int i = 0; i < THREADS; i++) {
    ids[i] = i;
    Pthread_create(&t[i], NULL, worker, &ids[i]);
  }
  for (int i = 0; i < THREADS; i++)
    Pthread_join(t[i], NULL);
  printf("%d lines\n", total);
  assert(total == 3);
  return 0;
}
