#include <stdio.h>
#include <string.h>
#include "threads.h"

struct traced {
  int used;
  pthread_t id;
  char name[NAME_SIZE];
};

static struct traced table[MAX_TRACED];
static int count;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void threads_init(void) {
  pthread_rwlock_wrlock(&lock);
  for (int i = 0; i < MAX_TRACED; i++)
    table[i].used = 0;
  count = 0;
  pthread_rwlock_unlock(&lock);
}

// The index of a thread; the lock is held.
static int find(pthread_t id) {
  for (int i = 0; i < MAX_TRACED; i++)
    if (table[i].used && pthread_equal(table[i].id, id))
      return i;
  return -1;
}

int threads_add(pthread_t id, const char *name) {
  int at;
  pthread_rwlock_wrlock(&lock);
  at = find(id);
  for (int i = 0; at < 0 && i < MAX_TRACED; i++)
    if (!table[i].used) {
      at = i;
      table[i].used = 1;
      table[i].id = id;
      count++;
    }
  if (at >= 0) {
    strncpy(table[at].name, name, NAME_SIZE - 1);
    table[at].name[NAME_SIZE - 1] = '\0';
  }
  pthread_rwlock_unlock(&lock);
  return at;
}

int threads_remove(pthread_t id) {
  int at;
  pthread_rwlock_wrlock(&lock);
  at = find(id);
  if (at >= 0) {
    table[at].used = 0;
    count--;
  }
  pthread_rwlock_unlock(&lock);
  return at < 0 ? -1 : 0;
}

int threads_find(pthread_t id) {
  pthread_rwlock_rdlock(&lock);
  int at = find(id);
  pthread_rwlock_unlock(&lock);
  return at;
}

int threads_name(int index, char *to) {
  int rc = -1;
  pthread_rwlock_rdlock(&lock);
  if (index >= 0 && index < MAX_TRACED && table[index].used) {
    strcpy(to, table[index].name);
    rc = 0;
  } else {
    strcpy(to, "?");
  }
  pthread_rwlock_unlock(&lock);
  return rc;
}

int threads_count(void) {
  pthread_rwlock_rdlock(&lock);
  int n = count;
  pthread_rwlock_unlock(&lock);
  return n;
}
