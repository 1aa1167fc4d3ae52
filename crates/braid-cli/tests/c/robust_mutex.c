// expect: safe
// A robust mutex whose owner is over tells the next one, who repairs what it protects.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static int half;

static void *work(void *unused) {
  int got = pthread_mutex_lock(&m);
  if (got == EOWNERDEAD) {
    assert(half == 1);
    half = 0;
    assert(pthread_mutex_consistent(&m) == 0);
    assert(pthread_mutex_unlock(&m) == 0);
    return 0;
  }
  assert(got == 0);
  half = 1;
  return 0;
}

int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  assert(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST) == 0);
  pthread_mutex_init(&m, &a);
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(pthread_mutex_lock(&m) == 0 && half == 0);
  assert(pthread_mutex_unlock(&m) == 0);
}
