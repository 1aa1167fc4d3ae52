// property: no-data-race
// What the function writes decides whether there is a race.
#include <pthread.h>

void command(int *out);
int counter;

void *worker(void *unused) {
  int order = 0;
  command(&order);
  if (order == 42) counter++;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  counter++;
  pthread_join(t, 0);
}
