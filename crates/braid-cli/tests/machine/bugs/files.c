// property: unreach-call
// also: parts/files_counter.c
// The counter is in another file.
#include <assert.h>
#include <pthread.h>
void count_up(double by);
double counted(void);
void *work(void *unused) {
  count_up(1.0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  assert(counted() > 1.5);
}
