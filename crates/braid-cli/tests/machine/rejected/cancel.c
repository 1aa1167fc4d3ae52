// property: no-deadlock
// A thread is cancelled while it holds the lock.
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int done;

void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_testcancel();
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}
