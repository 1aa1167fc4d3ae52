// expect: safe
// A mutex of C11 on the stack, in a program that has robust ones, too.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <threads.h>
static int counted(void) {
  mtx_t m;
  mtx_init(&m, mtx_plain);
  int result = mtx_lock(&m);
  mtx_unlock(&m);
  return result;
}
int main(void) {
  pthread_mutex_t m;
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  assert(pthread_mutex_init(&m, &a) == 0 && pthread_mutex_lock(&m) == 0 && pthread_mutex_unlock(&m) == 0);
  assert(counted() == thrd_success);
  return 0;
}
