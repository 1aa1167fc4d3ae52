// expect --property no-deadlock: unsafe
// Any number of like threads take two locks, every second one in the other order.
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int turn;
static void *work(void *arg) {
  int own = __sync_fetch_and_add(&turn, 1) % 2;
  pthread_mutex_lock(own ? &a : &b);
  pthread_mutex_lock(own ? &b : &a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return NULL;
}
int main(void) {
  int n = rand();
  for (int i = 0; i < n; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
  }
  return 0;
}
