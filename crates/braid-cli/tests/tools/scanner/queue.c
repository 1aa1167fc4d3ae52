#include <stdio.h>
#include <string.h>
#include "queue.h"

int queue_init(struct queue *q) {
  q->first = 0;
  q->count = 0;
  q->closed = 0;
  q->waiting = 0;
  if (pthread_mutex_init(&q->lock, NULL) != 0)
    return -1;
  if (pthread_cond_init(&q->not_empty, NULL) != 0) {
    pthread_mutex_destroy(&q->lock);
    return -1;
  }
  if (pthread_cond_init(&q->not_full, NULL) != 0) {
    pthread_cond_destroy(&q->not_empty);
    pthread_mutex_destroy(&q->lock);
    return -1;
  }
  return 0;
}

void queue_destroy(struct queue *q) {
  pthread_cond_destroy(&q->not_full);
  pthread_cond_destroy(&q->not_empty);
  pthread_mutex_destroy(&q->lock);
}

// 0: it is in the queue; -1: the queue is closed, or the path is too long.
int queue_put(struct queue *q, const char *path) {
  if (strlen(path) >= MAX_PATH)
    return -1;
  pthread_mutex_lock(&q->lock);
  while (q->count == QUEUE_SIZE && !q->closed)
    pthread_cond_wait(&q->not_full, &q->lock);
  if (q->closed) {
    pthread_mutex_unlock(&q->lock);
    return -1;
  }
  strcpy(q->paths[(q->first + q->count) % QUEUE_SIZE], path);
  q->count++;
  pthread_cond_signal(&q->not_empty);
  pthread_mutex_unlock(&q->lock);
  return 0;
}

// 1: there is a path; 0: there will be none any more.
int queue_get(struct queue *q, char *to) {
#ifdef RACE
  // Only statistics: no need for the lock yet.
  q->waiting++;
  pthread_mutex_lock(&q->lock);
#else
  pthread_mutex_lock(&q->lock);
  q->waiting++;
#endif
  while (q->count == 0 && !q->closed)
    pthread_cond_wait(&q->not_empty, &q->lock);
  q->waiting--;
  if (q->count == 0) {
    pthread_mutex_unlock(&q->lock);
    return 0;
  }
  strcpy(to, q->paths[q->first]);
  q->first = (q->first + 1) % QUEUE_SIZE;
  q->count--;
  pthread_cond_signal(&q->not_full);
  pthread_mutex_unlock(&q->lock);
  return 1;
}

void queue_close(struct queue *q) {
  pthread_mutex_lock(&q->lock);
  q->closed = 1;
  pthread_cond_broadcast(&q->not_empty);
  pthread_cond_broadcast(&q->not_full);
  pthread_mutex_unlock(&q->lock);
}
