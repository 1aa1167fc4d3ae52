#include <sched.h>
#include "ring.h"

void ring_init(struct ring *r) {
  r->first = 0;
  r->count = 0;
  r->lost = 0;
  r->closed = 0;
  pthread_mutex_init(&r->lock, NULL);
  pthread_cond_init(&r->changed, NULL);
}

void ring_destroy(struct ring *r) {
  pthread_cond_destroy(&r->changed);
  pthread_mutex_destroy(&r->lock);
}

// 0 if there was room. Who traces never waits.
int ring_put(struct ring *r, const struct message *m) {
  int rc = 0;
  pthread_mutex_lock(&r->lock);
  if (r->closed) {
    rc = -1;
  } else if (r->count == RING_SIZE) {
    r->lost++;
    rc = -1;
  } else {
    r->slots[(r->first + r->count) % RING_SIZE] = *m;
    r->count++;
    pthread_cond_signal(&r->changed);
  }
  pthread_mutex_unlock(&r->lock);
  return rc;
}

// 1 with a message; 0 if there will be none any more.
int ring_get(struct ring *r, struct message *to) {
  int rc = 0;
#ifdef RACE
  // Often there is nothing: a quick look before the lock is taken.
  if (r->count == 0)
    sched_yield();
#endif
  pthread_mutex_lock(&r->lock);
  while (r->count == 0 && !r->closed)
    pthread_cond_wait(&r->changed, &r->lock);
  if (r->count > 0) {
    *to = r->slots[r->first];
    r->first = (r->first + 1) % RING_SIZE;
    r->count--;
    rc = 1;
  }
  pthread_mutex_unlock(&r->lock);
  return rc;
}

void ring_close(struct ring *r) {
  pthread_mutex_lock(&r->lock);
  r->closed = 1;
  pthread_cond_broadcast(&r->changed);
  pthread_mutex_unlock(&r->lock);
}

long ring_lost(struct ring *r) {
  pthread_mutex_lock(&r->lock);
  long lost = r->lost;
  pthread_mutex_unlock(&r->lock);
  return lost;
}
