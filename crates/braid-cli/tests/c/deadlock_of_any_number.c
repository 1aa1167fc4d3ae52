// expect --property no-deadlock: safe
// Any number of threads take two locks, all in the same order.
// expect --property no-deadlock -D WRONG: unsafe
// Some take them in the other order.
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int moved;
static void *work(void *arg) {
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  moved++;
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  return NULL;
}
static void *other(void *arg) {
  pthread_mutex_lock(&second);
#ifdef WRONG
  pthread_mutex_lock(&first);
  pthread_mutex_unlock(&first);
#endif
  pthread_mutex_unlock(&second);
  return NULL;
}
int main(void) {
  int n = rand();
  for (int i = 0; i < n; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    pthread_create(&thread, NULL, other, NULL);
    pthread_detach(thread);
  }
  return 0;
}
