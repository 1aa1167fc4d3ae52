// Messages: errors go to standard error, all of them to a file if there is one.
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include "log.h"
#include "options.h"

static FILE *file = NULL;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int log_errors = 0;

int log_open(const char *name) {
  file = fopen(name, "a");
  if (file == NULL) {
    perror(name);
    return -1;
  }
  setvbuf(file, NULL, _IOLBF, 0);
  return 0;
}

void log_close(void) {
  pthread_mutex_lock(&lock);
  if (file != NULL) {
    fprintf(file, "-- %d error(s)\n", log_errors);
    fclose(file);
    file = NULL;
  }
  pthread_mutex_unlock(&lock);
}

static void stamp(FILE *to) {
  time_t now = time(NULL);
  fprintf(to, "[%ld] ", (long)now);
}

void log_error(const char *format, ...) {
  va_list args;
  pthread_mutex_lock(&lock);
  log_errors++;
  va_start(args, format);
  fprintf(stderr, PROGRAM ": ");
  vfprintf(stderr, format, args);
  fprintf(stderr, "\n");
  va_end(args);
  if (file != NULL) {
    va_start(args, format);
    stamp(file);
    vfprintf(file, format, args);
    fprintf(file, "\n");
    va_end(args);
  }
  pthread_mutex_unlock(&lock);
}

void log_info(const char *format, ...) {
  va_list args;
  pthread_mutex_lock(&lock);
  if (file != NULL) {
    va_start(args, format);
    stamp(file);
    vfprintf(file, format, args);
    fprintf(file, "\n");
    va_end(args);
  }
  pthread_mutex_unlock(&lock);
}

int log_error_count(void) {
  pthread_mutex_lock(&lock);
  int n = log_errors;
  pthread_mutex_unlock(&lock);
  return n;
}
