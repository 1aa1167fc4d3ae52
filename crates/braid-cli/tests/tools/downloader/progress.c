// A thread that shows how much has come in.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#include "log.h"
#include "options.h"
#include "progress.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;
static long total;
static long done;
static int finished;
static int running;

void progress_add(long bytes) {
#ifdef RACE
  // "One addition, what can go wrong?"
  done += bytes;
#else
  pthread_mutex_lock(&lock);
  done += bytes;
  pthread_mutex_unlock(&lock);
#endif
}

long progress_done(void) {
  pthread_mutex_lock(&lock);
  long n = done;
  pthread_mutex_unlock(&lock);
  return n;
}

static void draw(long n, long of) {
  int percent = of > 0 ? (int)(n * 100 / of) : 0;
  putchar('\r');
  putchar('[');
  for (int i = 0; i < 10; i++)
    putchar(i < percent / 10 ? '#' : '.');
  printf("] %3d%%", percent);
  fflush(stdout);
}

static void *show(void *arg) {
  (void)arg;
  for (;;) {
    pthread_mutex_lock(&lock);
    int stop = finished;
    long n = done, of = total;
    pthread_mutex_unlock(&lock);
    draw(n, of);
    if (stop)
      break;
    usleep(200000);
  }
  printf("\n");
  return NULL;
}

void progress_start(long bytes) {
  total = bytes;
  done = 0;
  finished = 0;
  running = 0;
  if (options.quiet)
    return;
  if (pthread_create(&thread, NULL, show, NULL) != 0) {
    log_error("no progress: cannot start a thread");
    return;
  }
  running = 1;
}

void progress_stop(void) {
  if (!running)
    return;
  pthread_mutex_lock(&lock);
  finished = 1;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  running = 0;
}
