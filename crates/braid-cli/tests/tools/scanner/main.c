// scan: looks for a word in many files at once.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "match.h"
#include "queue.h"
#include "reader.h"
#include "report.h"
#include "scan.h"
#include "settings.h"
#include "walk.h"

static struct queue queue;
static struct matcher matcher;
static struct reader readers[MAX_THREADS];

static int start_readers(int count) {
  int started = 0;
  for (int i = 0; i < count; i++) {
    struct reader *r = &readers[i];
    r->id = i;
    r->queue = &queue;
    r->matcher = &matcher;
    r->files = 0;
    r->matches = 0;
    if (pthread_create(&r->thread, NULL, reader_run, r) != 0) {
      fprintf(stderr, "scan: only %d of %d threads\n", started, count);
      break;
    }
    started++;
  }
  return started;
}

static long join_readers(int count) {
  long matches = 0;
  for (int i = 0; i < count; i++) {
    pthread_join(readers[i].thread, NULL);
    matches += readers[i].matches;
    if (settings.verbose)
      printf("reader %d: %ld file(s)\n", readers[i].id, readers[i].files);
  }
  return matches;
}

int main(int argc, char *argv[]) {
  int started;
  long matches;

  if (settings_read(argc, argv) < 0)
    return EXIT_TROUBLE;
  if (report_open(settings.log_name) < 0)
    return EXIT_TROUBLE;
  matcher_init(&matcher, settings.pattern, settings.ignore_case);
  if (queue_init(&queue) < 0) {
    fprintf(stderr, "scan: no queue\n");
    report_close();
    return EXIT_TROUBLE;
  }
  started = start_readers(settings.threads);
  if (started == 0) {
    queue_destroy(&queue);
    report_close();
    return EXIT_TROUBLE;
  }
  for (int i = settings.first_path; i < argc; i++)
    if (walk(&queue, argv[i], 0) < 0)
      break;
  queue_close(&queue);
  matches = join_readers(started);
  report_summary();
  report_close();
  queue_destroy(&queue);
  if (totals.errors > 0)
    return EXIT_TROUBLE;
  return matches > 0 ? EXIT_FOUND : EXIT_NOTHING;
}
