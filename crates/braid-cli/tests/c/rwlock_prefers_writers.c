// A lock that prefers writers keeps out readers while a writer waits, also those who read already.
// expect: safe
// expect -D PREFER: unsafe (no-deadlock)
// expect -D STATIC: unsafe (no-deadlock)
// expect -D PREFER -D ONCE: safe
// options: --property all
#define _GNU_SOURCE
#include <pthread.h>

#ifdef STATIC
static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#else
static pthread_rwlock_t lock;
#endif
static int shared;
static void *reader(void *unused) {
  pthread_rwlock_rdlock(&lock);
  int first = shared;
#ifndef ONCE
  pthread_rwlock_rdlock(&lock);
  first += shared;
  pthread_rwlock_unlock(&lock);
#endif
  pthread_rwlock_unlock(&lock);
  return 0;
}
static void *writer(void *unused) {
  pthread_rwlock_wrlock(&lock);
  shared = 1;
  pthread_rwlock_unlock(&lock);
  return 0;
}
int main(void) {
#ifndef STATIC
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
#ifdef PREFER
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#else
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_READER_NP);
#endif
  pthread_rwlock_init(&lock, &attributes);
#endif
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
