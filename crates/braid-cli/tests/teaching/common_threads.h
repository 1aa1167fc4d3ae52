// Wrappers that check what the threads API returns.
#ifndef COMMON_THREADS_H
#define COMMON_THREADS_H

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define Pthread_create(thread, attr, start, arg) assert(pthread_create(thread, attr, start, arg) == 0)
#define Pthread_join(thread, value) assert(pthread_join(thread, value) == 0)

static inline void Pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) {
  int rc = pthread_mutex_init(m, a);
  assert(rc == 0);
}
static inline void Pthread_mutex_lock(pthread_mutex_t *m) {
  int rc = pthread_mutex_lock(m);
  assert(rc == 0);
}
static inline void Pthread_mutex_unlock(pthread_mutex_t *m) {
  int rc = pthread_mutex_unlock(m);
  assert(rc == 0);
}
static inline void Pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a) {
  int rc = pthread_cond_init(c, a);
  assert(rc == 0);
}
static inline void Pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  int rc = pthread_cond_wait(c, m);
  assert(rc == 0);
}
static inline void Pthread_cond_signal(pthread_cond_t *c) {
  int rc = pthread_cond_signal(c);
  assert(rc == 0);
}
static inline void Pthread_cond_broadcast(pthread_cond_t *c) {
  int rc = pthread_cond_broadcast(c);
  assert(rc == 0);
}
static inline void Sem_init(sem_t *s, int shared, unsigned value) {
  int rc = sem_init(s, shared, value);
  assert(rc == 0);
}
static inline void Sem_wait(sem_t *s) {
  int rc = sem_wait(s);
  assert(rc == 0);
}
static inline void Sem_post(sem_t *s) {
  int rc = sem_post(s);
  assert(rc == 0);
}

#endif
