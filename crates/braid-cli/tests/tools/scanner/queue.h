// A bounded queue of paths between the thread that walks through folders and those that read files.
#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>
#include "scan.h"

struct queue {
  char paths[QUEUE_SIZE][MAX_PATH];
  int first;
  int count;
  int closed;
  int waiting;
  pthread_mutex_t lock;
  pthread_cond_t not_empty;
  pthread_cond_t not_full;
};

int queue_init(struct queue *q);
void queue_destroy(struct queue *q);
int queue_put(struct queue *q, const char *path);
int queue_get(struct queue *q, char *to);
void queue_close(struct queue *q);

#endif
