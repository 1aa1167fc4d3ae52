// expect: unsafe
// options: --property no-data-race
// Floating-point variables race like all others.
#include <pthread.h>

double sum;

void *add(void *unused) {
  sum += 1.5;
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, add, 0);
  pthread_create(&two, 0, add, 0);
  return 0;
}
