// What was found, and sums over all files.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "report.h"
#include "settings.h"

struct totals totals;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *log_file;

int report_open(const char *log_name) {
  if (log_name == NULL)
    return 0;
  log_file = fopen(log_name, "w");
  if (log_file == NULL) {
    fprintf(stderr, "scan: %s: %s\n", log_name, strerror(errno));
    return -1;
  }
  return 0;
}

void report_close(void) {
  if (log_file != NULL) {
    fprintf(log_file, "%ld file(s), %ld match(es)\n", totals.files, totals.matches);
    fclose(log_file);
    log_file = NULL;
  }
}

void report_file(const char *path, long bytes, long matches) {
  pthread_mutex_lock(&lock);
  totals.files++;
  totals.bytes += bytes;
  totals.matches += matches;
  if (log_file != NULL)
    fprintf(log_file, "%s: %ld\n", path, matches);
  if (matches > 0 && !settings.quiet) {
    if (settings.list_only)
      printf("%s\n", path);
    else
      printf("%s: %ld\n", path, matches);
  }
  pthread_mutex_unlock(&lock);
}

void report_error(const char *path, const char *what) {
  pthread_mutex_lock(&lock);
  totals.errors++;
  fprintf(stderr, "scan: %s: %s\n", path, what);
  if (log_file != NULL)
    fprintf(log_file, "%s: %s\n", path, what);
  pthread_mutex_unlock(&lock);
}

void report_skip(const char *path, const char *why) {
  if (!settings.verbose)
    return;
  pthread_mutex_lock(&lock);
  printf("%s left out: %s\n", path, why);
  pthread_mutex_unlock(&lock);
}

// Is there no need to go on?
int report_enough(long most) {
  int enough;
  if (most == 0)
    return 0;
  pthread_mutex_lock(&lock);
  enough = totals.matches >= most;
  pthread_mutex_unlock(&lock);
  return enough;
}

void report_summary(void) {
  if (settings.quiet)
    return;
  printf("%ld match(es) in %ld file(s), %ld bytes, %ld error(s)\n", totals.matches, totals.files, totals.bytes,
         totals.errors);
}
