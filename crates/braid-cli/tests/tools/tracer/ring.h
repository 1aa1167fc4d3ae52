// Messages on their way to the file: a ring that drops what has no room.
#ifndef RING_H
#define RING_H

#include <pthread.h>
#include "trace.h"

enum { RING_SIZE = 4 };

struct message {
  enum trace_level level;
  unsigned unit;
  int thread;
  int line;
  long value;
  const char *where;
  const char *text;
};

struct ring {
  struct message slots[RING_SIZE];
  unsigned first;
  unsigned count;
  long lost;
  int closed;
  pthread_mutex_t lock;
  pthread_cond_t changed;
};

void ring_init(struct ring *r);
void ring_destroy(struct ring *r);
int ring_put(struct ring *r, const struct message *m);
int ring_get(struct ring *r, struct message *to);
void ring_close(struct ring *r);
long ring_lost(struct ring *r);

#endif
