// Small helpers that all exercises share.
#ifndef COMMON_H
#define COMMON_H

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static inline double get_time(void) {
  struct timeval t;
  int rc = gettimeofday(&t, NULL);
  assert(rc == 0);
  return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static inline void *Malloc(size_t size) {
  void *p = malloc(size);
  if (p == NULL) {
    fprintf(stderr, "out of memory (%zu bytes)\n", size);
    exit(1);
  }
  return p;
}

static inline void *Calloc(size_t count, size_t size) {
  void *p = calloc(count, size);
  if (p == NULL) {
    fprintf(stderr, "out of memory (%zu times %zu bytes)\n", count, size);
    exit(1);
  }
  return p;
}

#endif
