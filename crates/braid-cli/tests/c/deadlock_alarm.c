// expect --property no-deadlock: unknown (a deadlock that `alarm` ends is not supported
// expect --property no-deadlock -D CANCELLED: unsafe
// expect : safe
// The process ends after a while, whoever waits; so this is no deadlock.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int eaten;
static void eat(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  eaten++;
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}
static void *guest(void *unused) {
  eat(&left, &right);
  return unused;
}
int main(void) {
  pthread_t thread;
#ifdef CANCELLED
  alarm(0);
#else
  alarm(5);
#endif
  pthread_create(&thread, 0, guest, 0);
  eat(&right, &left);
  pthread_join(thread, 0);
  assert(eaten == 2);
}
