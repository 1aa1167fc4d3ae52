// The library's own state, and the thread that writes.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include "config.h"
#include "output.h"
#include "ring.h"
#include "threads.h"
#include "trace.h"

static struct ring ring;
static struct output output;
static pthread_t writer;
static atomic_int is_on;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct config config = {TRACE_INFO, TRACE_ALL_UNITS, 0};
static long counts[TRACE_LEVELS];

static void *write_all(void *arg) {
  struct message m;
  (void)arg;
  while (ring_get(&ring, &m))
    output_write(&output, &m);
  return NULL;
}

int trace_configure(const char *file) {
  struct config read;
  config_default(&read);
  if (config_read(&read, file) < 0)
    return TRACE_NO_FILE;
  pthread_mutex_lock(&lock);
  config = read;
  pthread_mutex_unlock(&lock);
  return TRACE_OK;
}

int trace_start(const char *file, enum trace_level level) {
  if (atomic_load(&is_on))
    return TRACE_OK;
  if (output_open(&output, file) < 0)
    return TRACE_NO_FILE;
  pthread_mutex_lock(&lock);
  config.level = level;
  for (int i = 0; i < TRACE_LEVELS; i++)
    counts[i] = 0;
  output.flush = config.flush;
  pthread_mutex_unlock(&lock);
  ring_init(&ring);
  threads_init();
  if (pthread_create(&writer, NULL, write_all, NULL) != 0) {
    ring_destroy(&ring);
    output_close(&output);
    return TRACE_NO_THREAD;
  }
  atomic_store(&is_on, 1);
  return TRACE_OK;
}

// All threads that trace have ended.
int trace_stop(void) {
  if (!atomic_load(&is_on))
    return TRACE_NOT_ON;
  atomic_store(&is_on, 0);
  ring_close(&ring);
  pthread_join(writer, NULL);
  if (ring_lost(&ring) > 0)
    fprintf(stderr, "trace: %ld message(s) lost\n", ring_lost(&ring));
  ring_destroy(&ring);
  return output_close(&output) == 0 ? TRACE_OK : TRACE_NO_FILE;
}

int trace_add_thread(const char *name) {
  if (!atomic_load(&is_on))
    return TRACE_NOT_ON;
  return threads_add(pthread_self(), name) < 0 ? TRACE_TOO_MANY : TRACE_OK;
}

int trace_remove_thread(void) {
  if (!atomic_load(&is_on))
    return TRACE_NOT_ON;
  return threads_remove(pthread_self()) < 0 ? TRACE_NOT_ON : TRACE_OK;
}

void trace_set_level(enum trace_level level) {
  pthread_mutex_lock(&lock);
  config.level = level;
  pthread_mutex_unlock(&lock);
}

enum trace_level trace_get_level(void) {
  pthread_mutex_lock(&lock);
  enum trace_level level = config.level;
  pthread_mutex_unlock(&lock);
  return level;
}

void trace_set_units(unsigned units) {
  pthread_mutex_lock(&lock);
  config.units = units;
  pthread_mutex_unlock(&lock);
}

// Is this wanted? Counts it if so.
static int wanted(unsigned unit, enum trace_level level) {
  int yes;
  pthread_mutex_lock(&lock);
  yes = level <= config.level && (config.units & unit) != 0;
  if (yes)
    counts[level]++;
  pthread_mutex_unlock(&lock);
  return yes;
}

void trace_message(unsigned unit, enum trace_level level, const char *where, int line, const char *text, long value) {
  if (!atomic_load(&is_on) || !wanted(unit, level))
    return;
  // Texts are literals: they need not be copied.
  struct message m = {
    .level = level,
    .unit = unit,
    .thread = threads_find(pthread_self()),
    .line = line,
    .value = value,
    .where = where,
    .text = text,
  };
  ring_put(&ring, &m);
}

long trace_count(enum trace_level level) {
  long n = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i <= (int)level; i++)
    n += counts[i];
  pthread_mutex_unlock(&lock);
  return n;
}

long trace_lost(void) { return ring_lost(&ring); }
