// The threads that are known, with their names.
#ifndef THREADS_H
#define THREADS_H

#include <pthread.h>

enum { MAX_TRACED = 4, NAME_SIZE = 12 };

void threads_init(void);
int threads_add(pthread_t id, const char *name);
int threads_remove(pthread_t id);
int threads_find(pthread_t id);
int threads_name(int index, char *to);
int threads_count(void);

#endif
