// property: no-data-race
// The function only reads, while another thread writes.
#include <pthread.h>

void show(const char *name, const int *value);
int value;

void *worker(void *unused) {
  show("value", &value);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  value = 1;
  pthread_join(t, 0);
}
