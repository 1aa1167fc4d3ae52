// Several bugs at once: none hides another.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int count, *p;
void *user(void *arg) {
#ifdef BUG
  count++;
  if (rand()) pthread_mutex_lock(&m);
#endif
  pthread_mutex_lock(&m);
  count++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, user, 0);
  pthread_create(&b, 0, user, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
#ifdef BUG
  if (rand() == 1) *p = 1;
  if (rand() == 2) count = INT_MAX, count++;
  assert(count == 4);
#else
  assert(count == 2);
#endif
}
