// property: no-data-race
// A struct whose size is known at run time only; its last member is forgotten under the lock.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *flag;

void *worker(void *unused) {
  *flag = 1;
  return 0;
}

int sum(int count) {
  struct {
    int values[count];
    int flag;
  } record;
  pthread_t t;
  flag = &record.flag;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&lock);
  record.flag = 0;
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return record.flag;
}

int main(void) { return sum(3); }
