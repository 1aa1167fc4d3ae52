// expect: unsafe
// options: --property no-data-race
// Two threads write the same variable, and nothing orders them.
#include <pthread.h>

int counter;

void *add(void *unused) {
  counter++;
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, add, 0);
  pthread_create(&two, 0, add, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
