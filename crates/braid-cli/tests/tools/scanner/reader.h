#ifndef READER_H
#define READER_H

#include <pthread.h>
#include "match.h"
#include "queue.h"

// One of the threads that read files.
struct reader {
  int id;
  pthread_t thread;
  struct queue *queue;
  const struct matcher *matcher;
  long files;
  long matches;
};

void *reader_run(void *arg);

#endif
